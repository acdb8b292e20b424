/** Decimal digits of a float: value = 0.d1d2d3... * 10^point. Empty digits mean zero. */
export interface Decimal {
  readonly digits: string;
  readonly point: number;
}

/** The fewest digits that read back as the same float64. `value` is finite and not negative. */
export function shortestDecimal(value: number): Decimal {
  if (value === 0) return { digits: "", point: 0 };
  const [mantissa = "", exponent = "0"] = value.toExponential().split("e");
  return { digits: mantissa.replace(".", ""), point: Number(exponent) + 1 };
}

/** No float64 has a digit beyond this place, before or behind the point: what follows are zeros. */
const longestFloat = 1100;

/** `count` significant digits, rounded half to even as Go does; without the zeros that may follow. */
export function significantDecimal(value: number, count: number): Decimal {
  if (value === 0) return { digits: "", point: 0 };
  if (count > longestFloat) return significantDecimal(value, longestFloat);
  const exponent = Number(value.toExponential(20).split("e")[1] ?? "0");
  const digits = scaledInteger(value, count - 1 - exponent).toString();
  // The estimate of the exponent or the rounding may add a digit (9.99 -> 10.0).
  if (digits.length <= count) return { digits, point: exponent + 1 - (count - digits.length) };
  return { digits: scaledInteger(value, count - 2 - exponent).toString(), point: exponent + 2 };
}

/** All digits down to `count` places behind the point, rounded half to even; without the zeros that may follow. */
export function fixedDecimal(value: number, count: number): Decimal {
  if (count > longestFloat) return fixedDecimal(value, longestFloat);
  const scaled = scaledInteger(value, count);
  if (scaled === 0n) return { digits: "", point: 0 };
  const digits = scaled.toString();
  return { digits, point: digits.length - count };
}

/** round-half-even(value * 10^power), exactly. */
function scaledInteger(value: number, power: number): bigint {
  const { mantissa, exponent } = floatParts(value);
  let numerator = mantissa;
  let denominator = 1n;
  if (exponent >= 0) numerator <<= BigInt(exponent);
  else denominator <<= BigInt(-exponent);
  if (power >= 0) numerator *= 10n ** BigInt(power);
  else denominator *= 10n ** BigInt(-power);
  const quotient = numerator / denominator;
  const twice = (numerator % denominator) * 2n;
  const roundUp = twice > denominator || (twice === denominator && quotient % 2n === 1n);
  return roundUp ? quotient + 1n : quotient;
}

/** value = mantissa * 2^exponent with an integral mantissa; `value` is finite and not negative. */
export function floatParts(value: number): { mantissa: bigint; exponent: number } {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0);
  const fraction = bits & 0xfffffffffffffn;
  const biased = Number((bits >> 52n) & 0x7ffn);
  if (biased === 0) return { mantissa: fraction, exponent: -1074 };
  return { mantissa: fraction | 0x10000000000000n, exponent: biased - 1075 };
}
