import { formatFloat } from "@landscaper/goyaml";
import { failLocally } from "../evaluate/failure.ts";
import { toPlain } from "../output/to-plain.ts";
import { yamlText } from "../output/yaml-text.ts";
import type { Value } from "../value/value.ts";
import type { Arguments } from "./arguments.ts";

type Printable = null | boolean | bigint | number | string;

const verbPattern = /%([-+# 0]*)([0-9]*)(?:\.([0-9]*))?(.)/gsu;

/** Go's Sprintf of the arguments; lists and maps are turned into YAML first (spiff.md §3.9). */
export function formatText(args: Arguments): string {
  const template = args.at(0);
  if (typeof template !== "string") return failLocally("format must be string");
  const values = args.values.slice(1).map(printable);
  let used = 0;
  const text = template.replaceAll(verbPattern, (...parts: string[]) => {
    const [, flags = "", width = "", precision, verb = ""] = parts;
    if (verb === "%") return "%";
    if (used >= values.length) return `%!${verb}(MISSING)`;
    const value = values[used++] ?? null;
    if (Number(width) > 100_000) return "%!(BADWIDTH)";
    return pad(formatVerb(value, verb, { flags, precision }), flags, Number(width));
  });
  if (used >= values.length) return text;
  const extra = values.slice(used).map((value) => (value === null ? "<nil>" : `${goType(value)}=${plain(value)}`));
  return `${text}%!(EXTRA ${extra.join(", ")})`;
}

function printable(value: Value): Printable {
  return typeof value === "object" && value !== null ? yamlText(toPlain(value)) : value;
}

function goType(value: Printable): string {
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- a value has no other types
  switch (typeof value) {
    case "bigint":
      return "int64";
    case "number":
      return "float64";
    case "boolean":
      return "bool";
    default:
      return "string";
  }
}

function plain(value: Printable): string {
  if (value === null) return "<nil>";
  return typeof value === "number" ? formatFloat(value, "g", -1) : String(value);
}

interface Style {
  readonly flags: string;
  readonly precision: string | undefined;
}

function formatVerb(value: Printable, verb: string, style: Style): string {
  if (verb === "v") return signed(value, plain(value), style);
  if (verb === "T") return value === null ? "<nil>" : goType(value);
  if (value === null) return `%!${verb}(<nil>)`;
  const text = formatTyped(value, verb, style);
  return text === undefined ? `%!${verb}(${goType(value)}=${plain(value)})` : signed(value, text, style);
}

function signed(value: Printable, text: string, { flags }: Style): string {
  const isNumber = typeof value === "bigint" || typeof value === "number";
  return isNumber && flags.includes("+") && !text.startsWith("-") ? `+${text}` : text;
}

function formatTyped(value: boolean | bigint | number | string, verb: string, style: Style): string | undefined {
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- a value has no other types
  switch (typeof value) {
    case "boolean":
      return verb === "t" ? String(value) : undefined;
    case "bigint":
      return formatInteger(value, verb);
    case "number":
      return formatFloatVerb(value, verb, style.precision);
    case "string":
      return formatString(value, verb, style.precision);
  }
}

function formatInteger(value: bigint, verb: string): string | undefined {
  const radix = { d: 10, x: 16, X: 16, o: 8, b: 2 }[verb];
  if (radix !== undefined) return verb === "X" ? value.toString(16).toUpperCase() : value.toString(radix);
  if (verb === "c") return String.fromCodePoint(Number(BigInt.asUintN(20, value)));
  return undefined;
}

function formatFloatVerb(value: number, verb: string, precision: string | undefined): string | undefined {
  const digits = precision === undefined ? undefined : Math.min(Number(precision), 100);
  switch (verb) {
    case "f":
    case "F":
      return formatFloat(value, "f", digits ?? 6);
    case "e":
      return formatFloat(value, "e", digits ?? 6);
    case "g":
      return formatFloat(value, "g", digits ?? -1);
    default:
      return undefined;
  }
}

function formatString(value: string, verb: string, precision: string | undefined): string | undefined {
  const text = precision === undefined ? value : Array.from(value).slice(0, Number(precision)).join("");
  switch (verb) {
    case "s":
      return text;
    case "q":
      return JSON.stringify(text);
    case "x":
      return Buffer.from(text).toString("hex");
    case "X":
      return Buffer.from(text).toString("hex").toUpperCase();
    default:
      return undefined;
  }
}

function pad(text: string, flags: string, width: number): string {
  const missing = width - Array.from(text).length;
  if (missing <= 0) return text;
  if (flags.includes("-")) return text + " ".repeat(missing);
  if (!flags.includes("0")) return " ".repeat(missing) + text;
  const sign = /^[+-]/.exec(text)?.[0] ?? "";
  return sign + "0".repeat(missing) + text.slice(sign.length);
}
