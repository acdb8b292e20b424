import { int64, quote, type Value } from "@landscaper/golang";
import { fitsInt64, parseGoFloat } from "@landscaper/goyaml";
import type { TomlCursor } from "./toml-cursor.ts";
import { readTomlTime } from "./toml-time.ts";

const bases: Readonly<Record<string, readonly [digit: RegExp, name: string]>> = {
  x: [/[0-9a-fA-F]/, "a hexadecimal"],
  o: [/[0-7]/, "an octal"],
  b: [/[01]/, "a binary"],
};

/** A number or a time at the cursor, which stands at a digit or a sign. */
export function readNumber(cursor: TomlCursor): Value {
  const start = cursor.pos;
  const sign = cursor.takeAll(/[+-]+/y).slice(0, 1);
  if (sign !== "") return readSigned(cursor, start, sign);
  const base = cursor.startsWith("0") ? bases[cursor.text.charAt(start + 1)] : undefined;
  if (base !== undefined) return readBased(cursor, base);
  cursor.takeAll(/[0-9]+/y);
  if (cursor.peek() === "-" || cursor.peek() === ":") return readTime(cursor, start);
  return readDecimal(cursor, start);
}

function readSigned(cursor: TomlCursor, start: number, sign: string): Value {
  cursor.pos = start + 1;
  if (cursor.startsWith("inf") || cursor.startsWith("nan")) return readSpecial(cursor, sign);
  const first = cursor.peek();
  if (first === "i" || first === "n") cursor.fail(`invalid float: '${sign}${first}'`);
  if (!/^[0-9]$/.test(first)) cursor.fail(`expected a digit but got ${cursor.quoted()}`);
  const second = cursor.text.charAt(cursor.pos + 1);
  if (first === "0" && Object.hasOwn(bases, second)) {
    cursor.fail(`cannot use sign with non-decimal numbers: '${sign}0${second}'`);
  }
  return readDecimal(cursor, start);
}

/** `inf` or `nan`. */
export function readSpecial(cursor: TomlCursor, sign = ""): number {
  const isNan = cursor.peek() === "n";
  cursor.pos += 3;
  if (isNan) return Number.NaN;
  return sign === "-" ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
}

function readBased(cursor: TomlCursor, [digit, name]: readonly [RegExp, string]): Value {
  const start = cursor.pos;
  cursor.pos += 2;
  if (!digit.test(cursor.peek())) {
    const found = cursor.peek();
    cursor.fail(`not ${name} number: '${cursor.text.slice(start, cursor.pos)}${found === "" ? "\0" : found}'`);
  }
  cursor.takeAll(new RegExp(`(?:${digit.source}|_)+`, "y"));
  return integer(cursor, cursor.text.slice(start, cursor.pos));
}

function readDecimal(cursor: TomlCursor, start: number): Value {
  cursor.takeAll(/[0-9_]+/y);
  if (!/^[.eE]$/.test(cursor.peek())) return integer(cursor, cursor.text.slice(start, cursor.pos));
  cursor.takeAll(/[0-9_.eE+-]+/y);
  return float(cursor, cursor.text.slice(start, cursor.pos));
}

function integer(cursor: TomlCursor, text: string): Value {
  checkUnderscores(cursor, text, { whole: text, what: "integer" });
  checkLeadingZero(cursor, text, { whole: text, what: "integer" });
  const digits = text.replaceAll("_", "");
  const value = digits.startsWith("-") ? -BigInt(digits.slice(1)) : BigInt(digits.replace("+", ""));
  if (!fitsInt64(value)) cursor.fail(`${digits} is out of range for int64`);
  return int64(value);
}

function float(cursor: TomlCursor, text: string): number {
  const parts = text.split(/[.eE]/).filter((part) => part !== "");
  for (const part of parts) checkUnderscores(cursor, part, { whole: text, what: "float" });
  checkLeadingZero(cursor, parts[0] ?? "", { whole: text, what: "float" });
  if (/\.(?![0-9])/.test(text)) cursor.fail(`Invalid float ${quote(text)}: '.' must be followed by one or more digits`);
  const digits = text.replaceAll("_", "");
  if (!/^[+-]?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/.test(digits)) {
    cursor.fail(`Invalid float value: ${quote(text)}`);
  }
  // Beyond the range there is no float.
  return parseGoFloat(digits) ?? cursor.fail(`${digits} is out of range for float64`);
}

interface NumberText {
  readonly whole: string;
  readonly what: "integer" | "float";
}

function checkUnderscores(cursor: TomlCursor, part: string, { whole, what }: NumberText): void {
  const isFine = !/(?:^|[^0-9a-fA-F])_/.test(part) && /[0-9a-fA-F]$/.test(part);
  if (!isFine) cursor.fail(`Invalid ${what} ${quote(whole)}: underscores must be surrounded by digits`);
}

function checkLeadingZero(cursor: TomlCursor, part: string, { whole, what }: NumberText): void {
  if (/^[+-]?0[0-9_]/.test(part)) cursor.fail(`Invalid ${what} ${quote(whole)}: cannot have leading zeroes`);
}

function readTime(cursor: TomlCursor, start: number): Value {
  cursor.takeAll(/[0-9:T t.Zz+-]+/y);
  let end = cursor.pos;
  while (cursor.text[end - 1] === " ") end--;
  cursor.pos = end;
  const text = cursor.text.slice(start, end).replaceAll(" ", "T");
  return readTomlTime(text) ?? cursor.fail(`invalid datetime: ${quote(text)}`);
}
