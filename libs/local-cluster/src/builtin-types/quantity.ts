/** Models apimachinery/pkg/api/resource/quantity.go: amounts like "500m", "1Gi" or "1e3". */

const pattern = /^([+-]?)(\d+(?:\.\d*)?|\.\d+)(|[numkMGTPE]|[KMGTPE]i|[eE][+-]?\d+)$/;

const decimalExponents: Readonly<Record<string, number>> = {
  n: -9,
  u: -6,
  m: -3,
  "": 0,
  k: 3,
  M: 6,
  G: 9,
  T: 12,
  P: 15,
  E: 18,
};
const decimalSuffixes = Object.entries(decimalExponents).toSorted(([, a], [, b]) => b - a);
const binarySuffixes = ["Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];

/** Smallest unit that quantities have: everything below is rounded up. */
const nanoDigits = 9;

/** The form in which the API stores a quantity; undefined for text that is none. */
export function canonicalQuantity(text: string): string | undefined {
  const read = readQuantity(text);
  if (read === undefined) return undefined;
  const { nanos, isNegative, isBinary, exponent } = read;
  if (nanos === 0n) return "0";
  const prefix = isNegative ? "-" : "";
  if (isBinary) return prefix + formatBinary(nanos);
  return prefix + (exponent === undefined ? formatDecimal(nanos) : formatExponent(nanos));
}

/** The amount in billionths of the unit, rounded away from zero; 0 for text that is not a quantity. */
export function parseQuantity(text: string): bigint {
  const { nanos = 0n, isNegative = false } = readQuantity(text) ?? {};
  return isNegative ? -nanos : nanos;
}

interface ReadQuantity {
  readonly nanos: bigint;
  readonly isNegative: boolean;
  readonly isBinary: boolean;
  /** Of the form "1e3". */
  readonly exponent: number | undefined;
}

function readQuantity(text: string): ReadQuantity | undefined {
  const match = pattern.exec(text.trim());
  if (match === null) return undefined;
  const [, sign = "", digits = "", suffix = ""] = match;
  const binary = binarySuffixes.indexOf(suffix);
  const exponent = /^[eE][+-]?\d+$/.test(suffix) ? Number(suffix.slice(1)) : undefined;
  if (exponent !== undefined && Math.abs(exponent) > maxExponent) return undefined;
  const isBinary = binary >= 0;
  const factor = isBinary ? 1024n ** BigInt(binary + 1) : 1n;
  const nanos = toNanos(digits, exponent ?? decimalExponents[suffix] ?? 0, factor);
  return {
    nanos: isBinary && nanos > maxBinaryNanos ? maxBinaryNanos : nanos,
    isNegative: sign === "-",
    isBinary,
    exponent,
  };
}

const nano = 10n ** BigInt(nanoDigits);
/** Larger binary amounts count as this one. */
const maxBinaryNanos = (2n ** 63n - 1n) * nano;
/** Larger exponents are refused: "1e1000000000" would take minutes, also in the real server. */
const maxExponent = 10_000;

function toNanos(digits: string, exponent: number, factor: bigint): bigint {
  const [whole = "", fraction = ""] = digits.split(".");
  const shift = nanoDigits + exponent - fraction.length;
  const value = BigInt(`${whole}${fraction}` || "0") * factor;
  if (shift >= 0) return value * 10n ** BigInt(shift);
  const divisor = 10n ** BigInt(-shift);
  return (value + divisor - 1n) / divisor;
}

/** The largest decimal suffix that leaves a whole number. */
function formatDecimal(nanos: bigint): string {
  for (const [suffix, exponent] of decimalSuffixes) {
    const unit = 10n ** BigInt(nanoDigits + exponent);
    if (nanos % unit === 0n) return `${nanos / unit}${suffix}`;
  }
  return `${nanos}n`;
}

function formatExponent(nanos: bigint): string {
  const most = String(nanos).length - nanoDigits;
  for (let exponent = most - (most % 3); exponent >= -nanoDigits; exponent -= 3) {
    const unit = 10n ** BigInt(nanoDigits + exponent);
    if (nanos % unit === 0n) return exponent === 0 ? `${nanos / unit}` : `${nanos / unit}e${exponent}`;
  }
  return `${nanos}n`;
}

/** Fractions and amounts below 1024 have no binary suffix. */
function formatBinary(nanos: bigint): string {
  if (nanos % nano !== 0n || nanos < 1024n * nano) return formatDecimal(nanos);
  let value = nanos / nano;
  let suffix = "";
  for (const candidate of binarySuffixes) {
    if (value % 1024n !== 0n) break;
    value /= 1024n;
    suffix = candidate;
  }
  return `${value}${suffix}`;
}
