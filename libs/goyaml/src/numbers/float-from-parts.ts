/** The float64 nearest to mantissa * 2^exponent, ties to even; `mantissa` is not negative. */
export function floatFromParts(mantissa: bigint, exponent: number): number {
  if (mantissa === 0n) return 0;
  const bits = mantissa.toString(2).length;
  // Bits below the 53rd, or below the smallest denormal, are rounded away here, because Number() would round twice.
  const drop = Math.max(bits - 53, -1074 - exponent);
  let rounded = mantissa;
  let power = exponent;
  if (drop > 0) {
    const shift = BigInt(drop);
    const low = mantissa & ((1n << shift) - 1n);
    const half = 1n << (shift - 1n);
    rounded = mantissa >> shift;
    if (low > half || (low === half && rounded % 2n === 1n)) rounded++;
    power += drop;
  }
  let value = Number(rounded);
  // In steps, because 2 ** power alone may not be a float.
  while (power !== 0 && value !== 0 && Number.isFinite(value)) {
    const step = Math.max(-512, Math.min(512, power));
    value *= 2 ** step;
    power -= step;
  }
  return value;
}
