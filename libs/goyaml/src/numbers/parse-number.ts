import { floatFromParts } from "./float-from-parts.ts";

const minInt64 = -(2n ** 63n);
const maxInt64 = 2n ** 63n - 1n;
const maxUint64 = 2n ** 64n - 1n;

/** True if underscores stand only between digits or after a base prefix. Models strconv.underscoreOK. */
export function areUnderscoresValid(text: string): boolean {
  const unsigned = /^[+-]/.test(text) ? text.slice(1) : text;
  const prefix = /^0[bBoOxX]/.exec(unsigned)?.[0] ?? "";
  const isHex = prefix.toLowerCase() === "0x";
  let previous = prefix === "" ? "start" : "digit";
  for (const char of unsigned.slice(prefix.length)) {
    if (isHex ? /[0-9a-fA-F]/.test(char) : /[0-9]/.test(char)) previous = "digit";
    else if (char === "_") {
      if (previous !== "digit") return false;
      previous = "underscore";
    } else {
      if (previous === "underscore") return false;
      previous = "other";
    }
  }
  return previous !== "underscore";
}

/** More digits than any integer type has, and a number beyond all of them. */
const longestInteger = 100;
const beyondAll = 2n ** 400n;

/** strconv.ParseInt(text, 0, 64) without its range; undefined for bad syntax. */
export function parseGoInteger(text: string): bigint | undefined {
  const match = /^([+-]?)(0[xX][0-9a-fA-F_]+|0[bB][01_]+|0[oO][0-7_]+|0[0-7_]*|[1-9][0-9_]*)$/.exec(text);
  if (match === null || !areUnderscoresValid(text)) return undefined;
  let digits = (match[2] ?? "").replaceAll("_", "");
  // No type holds so many digits, and reading them takes long.
  if (digits.replace(/^0[xXbBoO]?0*/, "").length > longestInteger) return beyondAll;
  if (/^0[0-7]+$/.test(digits)) digits = `0o${digits.slice(1)}`;
  const value = BigInt(digits);
  return match[1] === "-" ? -value : value;
}

export function fitsInt64(value: bigint): boolean {
  return value >= minInt64 && value <= maxInt64;
}

export function fitsUint64(value: bigint): boolean {
  return value >= 0n && value <= maxUint64;
}

/** strconv.ParseFloat(text, 64); undefined for bad syntax or a value out of range. */
export function parseGoFloat(text: string): number | undefined {
  const special = /^([+-]?)(inf|infinity|nan)$/i.exec(text);
  if (special !== null) {
    if (special[2]?.toLowerCase() === "nan") return special[1] === "" ? Number.NaN : undefined;
    return special[1] === "-" ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  }
  if (text.includes("_") && !areUnderscoresValid(text)) return undefined;
  const plain = text.replaceAll("_", "");
  const hex = /^([+-]?)0[xX]([0-9a-fA-F]*)(?:\.([0-9a-fA-F]*))?[pP]([+-]?[0-9]+)$/.exec(plain);
  const value = hex === null ? parseDecimalFloat(plain) : parseHexFloat(hex);
  return value !== undefined && Number.isFinite(value) ? value : undefined;
}

function parseDecimalFloat(text: string): number | undefined {
  return /^[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?$/.test(text) ? Number(text) : undefined;
}

function parseHexFloat([, sign, whole = "", fraction = "", exponent = "0"]: RegExpExecArray): number | undefined {
  if (whole === "" && fraction === "") return undefined;
  const power = Math.max(-5000, Math.min(5000, Number(exponent))) - 4 * fraction.length;
  const value = floatFromParts(BigInt(`0x${whole}${fraction}`), power);
  return sign === "-" ? -value : value;
}
