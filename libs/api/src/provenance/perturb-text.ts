import { isJson } from "../values/json-value.ts";

/**
 * Replaces a secret text by another one of the same shape: every letter and digit becomes another one of its class, and what
 * frames values stays (keys of YAML and JSON, markers of PEM, encodings). Deterministic, so equal texts stay equal.
 */
export function perturbText(text: string): string {
  const trimmed = text.trim();
  if (/^[[{]/.test(trimmed) && isJson(trimmed)) return perturbJson(text);
  if (text.includes("\n") || isEntry(text)) return text.split("\n").map(perturbLine).join("\n");
  return perturbScalar(text);
}

const opposites: Readonly<Record<string, string>> = {
  true: "false",
  false: "true",
  yes: "no",
  no: "yes",
  on: "off",
  off: "on",
};

function perturbScalar(text: string): string {
  const opposite = Object.hasOwn(opposites, text) ? opposites[text] : undefined;
  if (opposite !== undefined) return opposite;
  const decoded = decodeBase64(text);
  if (decoded !== undefined) return Buffer.from(perturbText(decoded), "utf8").toString("base64");
  return perturbCharacters(text);
}

/** Number that is not zero at its start, so that it stays a number of as many digits. */
export function perturbDigits(digits: string): string {
  return digits.replace(/\d/g, (digit, at: number) => {
    const value = Number(digit);
    return String(at === 0 && value > 0 ? ((value + 3) % 9) + 1 : (value + 5) % 10);
  });
}

const address = /^(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3}$/;

/** Letters, digits and dots that stand together: numbers and addresses stay valid. */
function perturbCharacters(text: string): string {
  const isHex = /^[\da-f:-]{8,}$/i.test(text);
  const known = isMostlyKnown(text);
  const table = tables[isHex ? "hex" : "plain"][known ? "known" : "other"];
  return text.replace(/[\d.]+|[^\d.]+/gu, (part) => {
    if (!/^[\d.]/.test(part)) return perturbLetters(part, table);
    if (address.test(part)) return part.split(".").map(perturbOctet).join(".");
    return part.replace(/\d+|\.+/g, (run) => perturbRun(run, known));
  });
}

/** Whether most characters, spaces aside, are letters and digits. */
function isMostlyKnown(text: string): boolean {
  const isWord = /^[A-Za-z\d]+$/.test(text);
  return isWord || text.replace(/[^\p{L}\p{N}]/gu, "").length * 2 >= text.replace(/\s/g, "").length;
}

function perturbRun(run: string, known: boolean): string {
  if (!run.startsWith(".")) return perturbDigits(run);
  return known ? run : "~".repeat(run.length);
}

/** Another number up to 255 with as many digits, each of them different. */
function perturbOctet(octet: string): string {
  if (octet.length < 3) return perturbDigits(octet);
  const [first = 0, second = 0, third = 0] = octet.split("").map(Number);
  const isLow = first === 1;
  const next = isLow ? (second < 5 ? (second + 1) % 5 : second - 5) : (second + 5) % 10;
  return `${isLow ? 2 : 1}${next}${(third + 5) % 10}`;
}

const marks = "!#$%&*+-/:;<=>?@^_|~";
/** Marks that hardly ever are syntax within a text. */
const harmless: Readonly<Record<string, string>> = { "!": "^", "^": "$", $: "^", "~": "^", "*": "^" };

interface Rules {
  readonly isHex: boolean;
  /** Most characters are letters and digits: marks then stay, since they may be syntax. */
  readonly known: boolean;
}

function perturbAscii(code: number, { isHex, known }: Rules): number {
  const character = String.fromCharCode(code);
  const letter = /[a-z]/.test(character) ? 97 : /[A-Z]/.test(character) ? 65 : 0;
  if (letter > 0) {
    const [count, step] = isHex ? [6, 3] : [26, 13];
    return letter + ((code - letter + step) % count);
  }
  if (known) return (harmless[character] ?? character).charCodeAt(0);
  const at = marks.indexOf(character);
  return at < 0 ? code : marks.charCodeAt((at + 7) % marks.length);
}

function createTable(rules: Rules): Uint8Array {
  return Uint8Array.from({ length: 128 }, (_, code) => perturbAscii(code, rules));
}

/** The replacement of each ASCII character, by the kind of text that contains it. */
const tables = {
  plain: { known: createTable({ isHex: false, known: true }), other: createTable({ isHex: false, known: false }) },
  hex: { known: createTable({ isHex: true, known: true }), other: createTable({ isHex: true, known: false }) },
};

function perturbLetters(text: string, table: Uint8Array): string {
  const replaced = Buffer.allocUnsafe(text.length);
  for (let at = 0; at < text.length; at++) {
    const next = table[text.charCodeAt(at)];
    if (next === undefined) return text.replace(/./gsu, (character) => perturbAnyCharacter(character, table));
    replaced[at] = next;
  }
  return replaced.toString("latin1");
}

function perturbAnyCharacter(character: string, table: Uint8Array): string {
  const code = character.codePointAt(0) ?? 0;
  const ascii = table[code];
  if (ascii !== undefined) return String.fromCharCode(ascii);
  return /[\p{L}\p{N}\p{S}\p{P}]/u.test(character) ? String.fromCodePoint(code ^ 1) : character;
}

/** Text behind base64, as API servers and encoders write it; undefined for anything else. */
function decodeBase64(text: string): string | undefined {
  if (text.length < 8 || text.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return undefined;
  const bytes = Buffer.from(text, "base64");
  const decoded = bytes.toString("utf8");
  if (/[\p{Cc}\uFFFD]/u.test(decoded.replace(/[\n\r\t]/g, ""))) return undefined;
  return Buffer.from(decoded, "utf8").equals(bytes) && bytes.toString("base64") === text ? decoded : undefined;
}

/** In place: spaces and the order of keys stay. Escape sequences of texts stay too. */
function perturbJson(text: string): string {
  return text.replace(
    /"((?:\\.|[^"\\])*)"(\s*:)?|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|\b(?:true|false)\b/g,
    (token: string, inner: string | undefined, colon: string | undefined) => {
      if (colon !== undefined) return token;
      if (inner === undefined) return perturbScalar(token);
      return `"${inner.includes("\\") ? perturbEscaped(inner) : perturbScalar(inner)}"`;
    },
  );
}

function perturbEscaped(inner: string): string {
  return inner.replace(/\\(?:u[\da-fA-F]{4}|.)|[^\\]+/g, (part) =>
    part.startsWith("\\") ? part : perturbCharacters(part),
  );
}

const entry = /^(\s*(?:- +)*)("?[\w./-]+"?:)(?=\s|$)(\s*)(.*)$/s;
/** What a kubeconfig or a manifest is, not what it holds; markers of PEM, documents and block texts. */
const frame = /^\s*(?:apiVersion|kind): \S+\s*$|^\s*-----(?:BEGIN|END) [A-Z\d ]+-----\s*$|^(?:---|\.\.\.)\s*$/;
const blockMark = /^[|>][-+\d]{0,2}$/;

function isEntry(text: string): boolean {
  return (entry.exec(text)?.[4] ?? "") !== "";
}

/** A line of YAML keeps its key; of any other text all changes. */
function perturbLine(line: string): string {
  if (frame.test(line)) return line;
  const [, start = "", key = "", space = "", value = ""] = entry.exec(line) ?? [];
  if (key !== "") return `${start}${key}${space}${perturbYaml(value)}`;
  const [, prefix = "", rest = ""] = /^(\s*(?:- +)*)(.*)$/s.exec(line) ?? [];
  return prefix + perturbYaml(rest);
}

function perturbYaml(value: string): string {
  if (blockMark.test(value)) return value;
  if (/^[[{]/.test(value)) return perturbFlow(value);
  const [, quote = "", inner = value, end = ""] = /^(["'])(.*)\1(\s*)$/s.exec(value) ?? [];
  return quote + perturbScalar(inner) + quote + end;
}

/** A list or a map in one line keeps its marks and keys. */
function perturbFlow(text: string): string {
  return text.replace(
    /([\w./-]+:(?=\s|$))|"[^"]*"|'[^']*'|[^\s,{}[\]"']+/g,
    (token: string, key: string | undefined) => key ?? (/[\p{L}\p{N}]/u.test(token) ? perturbYaml(token) : token),
  );
}
