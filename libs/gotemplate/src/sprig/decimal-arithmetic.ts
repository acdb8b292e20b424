import { FunctionError } from "@landscaper/golang";

/** A decimal number: coefficient * 10^exponent, exact. */
export interface DecimalNumber {
  readonly coefficient: bigint;
  readonly exponent: number;
}

/** Digits behind the point of a quotient, as shopspring/decimal keeps. */
const divisionPrecision = 16;

/** The decimal that a float64 is written as with the fewest digits. */
export function decimalOf(value: number): DecimalNumber {
  if (!Number.isFinite(value)) {
    const name = Number.isNaN(value) ? "NaN" : value < 0 ? "-Inf" : "+Inf";
    throw new FunctionError(`Cannot create a Decimal from ${name}`);
  }
  if (Number.isSafeInteger(value)) return { coefficient: BigInt(value), exponent: 0 };
  const [mantissa = "0", exponent = "0"] = value.toExponential().split("e");
  const [whole = "0", fraction = ""] = mantissa.split(".");
  return { coefficient: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
}

export function toNumber({ coefficient, exponent }: DecimalNumber): number {
  return Number(`${coefficient}e${exponent}`);
}

function align(a: DecimalNumber, b: DecimalNumber): { x: bigint; y: bigint; exponent: number } {
  const exponent = Math.min(a.exponent, b.exponent);
  return {
    x: a.coefficient * 10n ** BigInt(a.exponent - exponent),
    y: b.coefficient * 10n ** BigInt(b.exponent - exponent),
    exponent,
  };
}

export function addDecimals(a: DecimalNumber, b: DecimalNumber): DecimalNumber {
  const { x, y, exponent } = align(a, b);
  return { coefficient: x + y, exponent };
}

export function subtractDecimals(a: DecimalNumber, b: DecimalNumber): DecimalNumber {
  return addDecimals(a, { coefficient: -b.coefficient, exponent: b.exponent });
}

export function multiplyDecimals(a: DecimalNumber, b: DecimalNumber): DecimalNumber {
  return { coefficient: a.coefficient * b.coefficient, exponent: a.exponent + b.exponent };
}

/** Rounded half away from zero to 16 places. */
export function divideDecimals(a: DecimalNumber, b: DecimalNumber): DecimalNumber {
  if (b.coefficient === 0n) throw new FunctionError("decimal division by 0");
  const shift = a.exponent - b.exponent + divisionPrecision;
  let numerator = a.coefficient;
  let denominator = b.coefficient;
  if (shift >= 0) numerator *= 10n ** BigInt(shift);
  else denominator *= 10n ** BigInt(-shift);
  const isNegative = numerator < 0n !== denominator < 0n;
  const x = numerator < 0n ? -numerator : numerator;
  const y = denominator < 0n ? -denominator : denominator;
  const rounded = (x * 2n + y) / (y * 2n);
  return { coefficient: isNegative ? -rounded : rounded, exponent: -divisionPrecision };
}
