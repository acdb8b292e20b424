import { quote } from "@landscaper/golang";
import { fitsInt64, fitsUint64, parseGoFloat, parseGoInteger } from "@landscaper/goyaml";

/** A number literal: the types that it can have, as Go's parse.NumberNode. */
export interface NumberLiteral {
  readonly int: bigint | undefined;
  readonly uint: bigint | undefined;
  readonly float: number | undefined;
  readonly complex?: readonly [real: number, imaginary: number];
}

/** Reads a number token; a string is Go's error message. */
export function readNumberLiteral(text: string): NumberLiteral | string {
  if (text.endsWith("i")) return readComplex(text);
  const integer = parseGoInteger(text);
  if (integer !== undefined && (fitsInt64(integer) || fitsUint64(integer))) {
    return {
      int: fitsInt64(integer) ? integer : undefined,
      uint: fitsUint64(integer) ? integer : undefined,
      float: Number(integer),
    };
  }
  const float = parseGoFloat(text);
  if (float === undefined) return `illegal number syntax: ${quote(text)}`;
  if (!/[.eEpP]/.test(text)) return `integer overflow: ${quote(text)}`;
  return realTypes(float);
}

/** The types that a float can have. */
function realTypes(float: number): NumberLiteral {
  const whole = Number.isInteger(float) ? BigInt(float) : undefined;
  return {
    int: whole !== undefined && fitsInt64(whole) ? whole : undefined,
    uint: whole !== undefined && fitsUint64(whole) ? whole : undefined,
    float,
  };
}

/** "2i" or "1+2i"; without an imaginary part it may stand for a real number, too. */
function readComplex(text: string): NumberLiteral | string {
  const signAt = Math.max(...["+", "-"].map((sign) => lastSign(text, sign)));
  const parts = signAt > 0 ? [text.slice(0, signAt), text.slice(signAt, -1)] : [text.slice(0, -1)];
  const numbers: number[] = [];
  for (const part of parts) {
    const number = parseGoFloat(part);
    if (number === undefined) return signAt > 0 ? pairProblem(part) : `illegal number syntax: ${quote(text)}`;
    numbers.push(number);
  }
  const [imaginary = 0, real = 0] = numbers.toReversed();
  const types = imaginary === 0 ? realTypes(real) : { int: undefined, uint: undefined, float: undefined };
  return { ...types, complex: [real, imaginary] };
}

/** Where a sign stands that belongs to no exponent; -1 for none. */
function lastSign(text: string, sign: string): number {
  for (let i = text.lastIndexOf(sign); i > 0; i = text.lastIndexOf(sign, i - 1)) {
    const isExponent = /^[+-]?0[xX]/.test(text) ? /[pP]/ : /[eEpP]/;
    if (!isExponent.test(text.charAt(i - 1))) return i;
  }
  return -1;
}

/** What Go says of a part of a pair that is no number. */
function pairProblem(part: string): string {
  if (!/[0-9]/.test(part)) return "syntax error scanning complex number";
  const isTooLarge = /^[+-]?[0-9]*(\.[0-9]*)?([eE][+-]?[0-9]+)?$/.test(part);
  return `strconv.ParseFloat: parsing ${quote(part)}: ${isTooLarge ? "value out of range" : "invalid syntax"}`;
}
