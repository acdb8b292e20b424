import type { Float64Object, Float64Value, JsonValue } from "./json-value.ts";

/**
 * Returns the value with all integers as float64, as Go programs see it that unmarshal JSON into an interface. The value
 * itself is returned if it has no bigint.
 */
export function toFloat64(value: undefined): undefined;
export function toFloat64(value: object | string | number | bigint | boolean | null): Float64Value;
export function toFloat64(value: unknown): Float64Value | undefined;
export function toFloat64(value: unknown): Float64Value | undefined {
  return (hasBigInt(value) ? mapIntegers(value, Number) : value) as Float64Value; // JSON without bigint
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
  if (!isPlain(value)) return false;
  const record = value as Readonly<Record<string, unknown>>; // neither null nor an array
  for (const key of Object.keys(record)) if (hasBigInt(record[key])) return true;
  return false;
}

const minInt64 = -(2n ** 63n);
const maxUint64 = 2n ** 64n - 1n;

/** Returns a number if it is exact, the bigint if it has 64 bits, otherwise the nearest float64. */
export function canonicalInteger(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) || value < minInt64 || value > maxUint64 ? number : value;
}

/** Returns the value with its integers beyond int64 as float64, as API servers read it. */
export function limitToInt64(value: JsonValue): JsonValue {
  return (hasBigInt(value) ? mapIntegers(value, storedNumber) : value) as JsonValue; // of JSON data
}

/**
 * Converts values whose integers are all bigint to `JsonValue`. Throws a TypeError for an object of a class, such as the
 * Date of a YAML timestamp: the reader must return JSON data.
 */
export function canonicalIntegers(value: unknown): JsonValue {
  return mapIntegers(value, canonicalInteger, refuseInstance) as JsonValue; // of JSON data
}

function refuseInstance(value: object): never {
  throw new TypeError(`JSON data: expected a scalar, a list or a map, found an object of ${value.constructor.name}`);
}

/** Whether an object has no class; in tests, such objects come from several realms. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Passes objects of classes to `ofInstance`; keeps them by default. */
function mapIntegers(
  value: unknown,
  change: (integer: bigint) => number | bigint,
  ofInstance: (value: object) => unknown = (instance) => instance,
): unknown {
  const map = (item: unknown): unknown => mapIntegers(item, change, ofInstance);
  if (typeof value === "bigint") return change(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(map);
  if (!isPlain(value)) return ofInstance(value);
  const entries = Object.entries(value).map(([key, item]): [string, unknown] => [key, map(item)]);
  return Object.fromEntries(entries);
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
