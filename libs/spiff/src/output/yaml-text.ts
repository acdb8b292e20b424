import { compareStrings, formatFloat, toYaml } from "@landscaper/goyaml";
import { entriesOf } from "../value/from-plain.ts";

/** Plain data as the YAML text of the original: keys sorted, lists not indented, text beyond ASCII escaped. */
export function yamlText(plain: unknown): string {
  return Array.isArray(plain) || (typeof plain === "object" && plain !== null)
    ? `${block(plain, "").replace(/^\n/, "")}\n`
    : `${scalar(plain, "")}\n`;
}

/** A value behind `key:` or `-`; begins with a newline when it is a block of its own. */
function block(value: unknown, indent: string): string {
  if (Array.isArray(value)) {
    if (value.length === 0) return "[]";
    return value.map((item) => `\n${indent}-${afterDash(item, `${indent}  `)}`).join("");
  }
  if (typeof value !== "object" || value === null) return scalar(value, indent);
  const entries = entriesOf(value).toSorted(([a], [b]) => compareStrings(a, b));
  if (entries.length === 0) return "{}";
  return entries.map(([key, item]) => `\n${indent}${scalar(key, indent)}:${afterKey(item, indent)}`).join("");
}

function afterKey(item: unknown, indent: string): string {
  const isList = Array.isArray(item);
  const text = block(item, isList ? indent : `${indent}  `);
  return text.startsWith("\n") ? text : ` ${text}`;
}

function afterDash(item: unknown, indent: string): string {
  const text = block(item, indent);
  return text.startsWith("\n") ? ` ${text.slice(indent.length + 1)}` : ` ${text}`;
}

function scalar(value: unknown, indent: string): string {
  if (typeof value === "number") return floatText(value);
  if (typeof value === "boolean" || typeof value === "bigint") return value.toString();
  if (typeof value !== "string") return "null";
  // eslint-disable-next-line no-control-regex -- everything outside of printable ASCII is escaped
  if (/[^\t\n\r\x20-\x7e]/.test(value)) return quoted(value);
  if (/^[0-9]+:[0-5][0-9]$/.test(value)) return value;
  const text = toYaml(value).slice(0, -1);
  return text.startsWith("|") ? literal(value, text, indent) : text;
}

/** Whole floats print without fraction. */
function floatText(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return "+.inf";
  return Number.isSafeInteger(value) && Math.abs(value) < 1e21
    ? formatFloat(value, "f", -1)
    : formatFloat(value, "g", -1);
}

/** A block scalar; its header says whether the last line breaks are kept. */
function literal(value: string, text: string, indent: string): string {
  const indicator = /^\|([0-9]?)/.exec(text)?.[1] ?? "";
  const inner = indent === "" ? "  " : indent;
  const lines = value.replace(/\n$/, "").split("\n");
  const body = lines.map((line) => (line === "" ? "" : inner + line)).join("\n");
  return `|${indicator}${value.endsWith("\n") ? "+" : "-"}\n${body}`;
}

const shortEscapes = new Map([
  ["\0", "\\0"],
  ["\u0007", "\\a"],
  ["\b", "\\b"],
  ["\t", "\\t"],
  ["\n", "\\n"],
  ["\v", "\\v"],
  ["\f", "\\f"],
  ["\r", "\\r"],
  ["\u001b", "\\e"],
  ['"', '\\"'],
  ["\\", "\\\\"],
  ["\u0085", "\\N"],
  ["\u00a0", "\\_"],
  ["\u2028", "\\L"],
  ["\u2029", "\\P"],
]);

function quoted(text: string): string {
  const parts = Array.from(text, (char) => {
    const short = shortEscapes.get(char);
    if (short !== undefined) return short;
    const code = char.codePointAt(0) ?? 0;
    if (code >= 0x20 && code < 0x7f) return char;
    const hex = code.toString(16).toUpperCase();
    if (code < 0x100) return `\\x${hex.padStart(2, "0")}`;
    return code < 0x10000 ? `\\u${hex.padStart(4, "0")}` : `\\U${hex.padStart(8, "0")}`;
  });
  return `"${parts.join("")}"`;
}
