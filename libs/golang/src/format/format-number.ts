import { type FloatFormat, formatFloat } from "@landscaper/goyaml";
import { type Flags, pad, padSpaces } from "./flags.ts";
import { isPrintable, quoteRune } from "@landscaper/goyaml";

const integerBase: Readonly<Record<string, number>> = { v: 10, d: 10, b: 2, o: 8, O: 8, x: 16, X: 16 };

/** An integer by an integer verb; undefined for a verb that is none. `value` is already in the type's range. */
export function formatInteger(value: bigint | number, verb: string, flags: Flags): string | undefined {
  switch (verb) {
    case "v":
    case "d":
    case "b":
    case "o":
    case "O":
    case "x":
    case "X":
      return formatDigits(value, verb, flags);
    case "c":
      return pad(runeOf(BigInt(value)), flags);
    case "q":
      return pad(quoteRune(runeOf(BigInt(value)), flags.plus), flags);
    case "U":
      return formatUnicode(BigInt(value), flags);
    default:
      return undefined;
  }
}

function runeOf(value: bigint): string {
  if (value < 0n || value > 0x10ffffn || (value >= 0xd800n && value <= 0xdfffn)) return "\ufffd";
  return String.fromCodePoint(Number(value));
}

function formatDigits(value: bigint | number, verb: string, flags: Flags): string {
  const negative = value < 0;
  const base = integerBase[verb] ?? 10;
  let digits = (negative ? -value : value).toString(base);
  if (flags.precision !== undefined) {
    if (flags.precision === 0 && Number(value) === 0) return " ".repeat(flags.width ?? 0);
    digits = digits.padStart(flags.precision, "0");
  } else if (flags.zero && !flags.minus && flags.width !== undefined) {
    digits = digits.padStart(flags.width - (negative || flags.plus || flags.space ? 1 : 0), "0");
  }
  if (flags.sharp) {
    if (base === 2) digits = `0b${digits}`;
    else if (base === 8 && !digits.startsWith("0")) digits = `0${digits}`;
    else if (base === 16) digits = `0x${digits}`;
  }
  if (verb === "X") digits = digits.toUpperCase();
  if (verb === "O") digits = `0o${digits}`;
  const sign = negative ? "-" : flags.plus ? "+" : flags.space ? " " : "";
  return padSpaces(sign + digits, flags);
}

function formatUnicode(value: bigint, flags: Flags): string {
  const code = BigInt.asUintN(64, value);
  const digits = code
    .toString(16)
    .toUpperCase()
    .padStart(Math.max(4, flags.precision ?? 4), "0");
  const rune = flags.sharp && code <= 0x10ffffn ? runeOf(code) : "";
  const shown = rune !== "" && isPrintable(rune) ? ` '${rune}'` : "";
  return padSpaces(`U+${digits}${shown}`, flags);
}

/** A float by a float verb; undefined for a verb that is none. */
export function formatFloatVerb(value: number, verb: string, flags: Flags): string | undefined {
  switch (verb) {
    case "v":
      return signedFloat(value, flags, { format: "g", precision: -1 });
    case "b":
    case "g":
    case "G":
    case "x":
    case "X":
      return signedFloat(value, flags, { format: verb, precision: -1 });
    case "f":
    case "e":
    case "E":
      return signedFloat(value, flags, { format: verb, precision: 6 });
    case "F":
      return signedFloat(value, flags, { format: "f", precision: 6 });
    default:
      return undefined;
  }
}

function signedFloat(value: number, flags: Flags, verb: { format: FloatFormat; precision: number }): string {
  const precision = flags.precision ?? verb.precision;
  const text = formatFloat(value, verb.format, precision);
  const hasSign = text.startsWith("-") || text.startsWith("+");
  let sign = hasSign ? text.charAt(0) : "+";
  let digits = hasSign ? text.slice(1) : text;
  if (flags.space && sign === "+" && !flags.plus) sign = " ";
  if (digits === "Inf" || digits === "NaN") {
    if (digits === "NaN" && !flags.space && !flags.plus) sign = "";
    return padSpaces(sign + digits, flags);
  }
  if (flags.sharp && verb.format !== "b") digits = keepZeros(digits, verb.format, precision);
  if (flags.plus || sign !== "+") {
    if (flags.zero && !flags.minus && flags.width !== undefined && flags.width > digits.length + 1) {
      return sign + digits.padStart(flags.width - 1, "0");
    }
    return pad(sign + digits, flags);
  }
  return pad(digits, flags);
}

/** The sharp flag: always a decimal point, trailing zeros kept. */
function keepZeros(text: string, format: FloatFormat, precision: number): string {
  const isHex = format === "x" || format === "X";
  let missing = 0;
  if (format === "g" || format === "G" || format === "x") missing = precision === -1 ? 6 : precision;
  const tailAt = text.search(isHex ? /[pP]/ : /[eE]/);
  const tail = tailAt < 0 ? "" : text.slice(tailAt);
  let head = tailAt < 0 ? text : text.slice(0, tailAt);
  let sawNonzero = false;
  for (const char of head) {
    if (char === ".") continue;
    if (char !== "0") sawNonzero = true;
    if (sawNonzero) missing--;
  }
  if (!head.includes(".")) {
    if (head === "0") missing--;
    head += ".";
  }
  return head + "0".repeat(Math.max(missing, 0)) + tail;
}
