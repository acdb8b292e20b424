import { listOf, mapOf } from "./build-value.ts";
import type { Value } from "./value.ts";

export type NumberMode = "integers" | "original";

/**
 * Plain data as a value; text stays text, also when it looks like an expression. Whole numbers become ints, or stay
 * floats with "original"; bigint is always int.
 */
export function fromPlain(plain: unknown, numbers: NumberMode): Value {
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- a value has no other types
  switch (typeof plain) {
    case "boolean":
    case "string":
      return plain;
    case "bigint":
      return BigInt.asIntN(64, plain);
    case "number":
      return toNumber(plain, numbers);
    case "object":
      if (plain === null) return null;
      if (Array.isArray(plain)) return listOf(plain.map((item) => fromPlain(item, numbers)));
      return mapOf(entriesOf(plain).map(([key, item]) => [key, fromPlain(item, numbers)] as const));
    default:
      return null;
  }
}

/** A number of JSON: whole numbers of 64 bits are ints unless the original's floats are asked for. */
export function toNumber(value: number, numbers: NumberMode): Value {
  if (numbers === "original" || !Number.isInteger(value) || Math.abs(value) >= 2 ** 63) return value;
  return BigInt(value);
}

/** Entries of a plain object or of a Map with text keys. */
export function entriesOf(object: object): [string, unknown][] {
  return object instanceof Map ? [...object].map(([key, value]) => [String(key), value]) : Object.entries(object);
}
