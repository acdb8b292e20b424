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

type Container = Record<string | number, unknown>;

/** Whether a JSON value has a bigint. Does not recurse: objects of users may be nested deeper than the stack. */
function hasBigInt(value: unknown): boolean {
  const open: unknown[] = [value];
  while (open.length > 0) {
    const item = open.pop();
    if (typeof item === "bigint") return true;
    if (typeof item !== "object" || item === null) continue;
    if (Array.isArray(item)) for (const member of item) open.push(member);
    else if (isPlain(item)) for (const key of Object.keys(item)) open.push((item as Container)[key]);
  }
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

/** Passes objects of classes to `ofInstance`; keeps them by default. Does not recurse, as `hasBigInt`. */
function mapIntegers(
  value: unknown,
  change: (integer: bigint) => number | bigint,
  ofInstance: (value: object) => unknown = (instance) => instance,
): unknown {
  const open: { readonly from: object; readonly to: Container | unknown[] }[] = [];
  const map = (item: unknown): unknown => {
    if (typeof item === "bigint") return change(item);
    if (typeof item !== "object" || item === null) return item;
    if (!Array.isArray(item) && !isPlain(item)) return ofInstance(item);
    const to = Array.isArray(item) ? [] : {};
    open.push({ from: item, to });
    return to;
  };
  const result = map(value);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { from, to } = next;
    if (Array.isArray(to)) for (const item of from as readonly unknown[]) to.push(map(item));
    else for (const key of Object.keys(from)) setMember(to, key, map((from as Container)[key]));
  }
  return result;
}

function setMember(object: Container, key: string, value: unknown): void {
  if (key !== "__proto__") object[key] = value;
  else Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
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
