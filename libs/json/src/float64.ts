import type { Float64Object, Float64Value } from "./json-value.ts";

/**
 * Returns the value with all integers as float64, as Go programs see it that unmarshal JSON into an interface. The value
 * itself is returned if it has no bigint.
 */
export function toFloat64(value: unknown): Float64Value {
  return (hasBigInt(value) ? convert(value) : value) as Float64Value; // JSON without bigint
}

/** As `toFloat64`, for an object. */
export function toFloat64Object(value: Readonly<Record<string, unknown>>): Float64Object {
  return toFloat64(value) as Float64Object; // of an object
}

/** Whether a JSON value has a bigint. */
function hasBigInt(value: unknown): boolean {
  if (typeof value === "bigint") return true;
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(value)) return value.some(hasBigInt);
  const record = value as Readonly<Record<string, unknown>>; // neither null nor an array
  for (const key of Object.keys(record)) if (hasBigInt(record[key])) return true;
  return false;
}

/** Whether an object has no class; in tests, such objects come from several realms. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function convert(value: unknown): unknown {
  if (typeof value === "bigint") return Number(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(convert);
  if (!isPlain(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]): [string, unknown] => [key, convert(item)]));
}

/**
 * Whether two numbers are the same to an API server. Go reads an integer beyond 64 bits with sign as float64, and writes
 * a whole float64 as an integer: 18446744073709551615 comes back as 18446744073709552000, and 1e16 as 10000000000000000.
 */
export function equalNumbers(left: number | bigint, right: number | bigint): boolean {
  return left === right || storedNumber(left) === storedNumber(right);
}

/** Whole numbers from here on are written with an exponent. */
const minExponential = 1e21;

/** Returns the number that an API server keeps: a bigint if it has 64 bits with sign and a number is not exact. */
function storedNumber(value: number | bigint): number | bigint {
  if (typeof value === "bigint") return BigInt.asIntN(64, value) === value ? value : Number(value);
  if (Number.isSafeInteger(value) || !Number.isInteger(value) || Math.abs(value) >= minExponential) return value;
  const written = BigInt(String(value));
  return BigInt.asIntN(64, written) === written ? written : value;
}
