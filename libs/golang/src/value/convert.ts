import { GoInt, int64 } from "./go-int.ts";
import { NamedMap } from "./named-map.ts";
import { WatchedMap } from "./watched-map.ts";
import { GoObject, isMap, isSlice, type GoMap, type Value } from "./value.ts";

/**
 * Go values of plain data. Numbers become float64 (as after Go's json.Unmarshal), bigint int64, objects maps.
 * Plain data is copied, so that templates which change maps do not change what the caller gave; maps of named types are
 * no plain data and stay as they are.
 */
export function fromPlain(value: unknown): Value {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  if (typeof value === "bigint") return int64(value);
  if (value === null || typeof value !== "object") return null;
  if (Array.isArray(value)) return value.map(fromPlain);
  if (value instanceof GoInt || value instanceof GoObject || value instanceof Uint8Array) return value;
  if (value instanceof NamedMap || value instanceof WatchedMap) return value;
  const map: GoMap = new Map();
  if (value instanceof Map) for (const [key, item] of value) map.set(String(key), fromPlain(item));
  else for (const key of Object.keys(value)) map.set(key, fromPlain((value as Record<string, unknown>)[key]));
  return map;
}

/** The map of a plain object; an empty one of anything else. */
export function mapFromPlain(value: unknown): GoMap {
  const map = fromPlain(value);
  return map instanceof Map ? map : new Map();
}

/** Plain data of a Go value: maps as objects, all numbers as number (bigint where a number would lose digits). */
export function toPlain(value: Value): unknown {
  if (value === undefined || value === null) return null;
  if (typeof value !== "object") return value;
  if (value instanceof GoInt) {
    const number = value.toNumber();
    return Number.isSafeInteger(number) ? number : value.value;
  }
  if (value instanceof Uint8Array) return value;
  if (value instanceof GoObject) return value.toJSON();
  if (isSlice(value)) return value.map(toPlain);
  if (!isMap(value)) return null;
  const object: Record<string, unknown> = {};
  for (const [key, item] of value) setOwn(object, key, toPlain(item));
  return object;
}

/** Assigns a property also when it is called __proto__. */
function setOwn(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key === "__proto__") {
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  } else object[key] = value;
}
