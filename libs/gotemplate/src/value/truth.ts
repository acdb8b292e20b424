import { GoInt } from "./go-int.ts";
import { isMap, isSlice, type Value } from "./value.ts";

/** Truth as `if` sees it: not the zero value of its type, not empty. Structs are always true. */
export function isTrue(value: Value): boolean {
  switch (typeof value) {
    case "string":
      return value !== "";
    case "boolean":
      return value;
    case "number":
      // NaN is not zero.
      return value !== 0;
    case "undefined":
      return false;
    default:
  }
  if (value === null) return false;
  if (value instanceof GoInt) return value.value !== 0n;
  if (isMap(value)) return value.size > 0;
  if (isSlice(value) || value instanceof Uint8Array) return value.length > 0;
  return true;
}
