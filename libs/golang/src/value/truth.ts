import { GoComplex } from "./go-complex.ts";
import { GoInt } from "./go-int.ts";
import { isMap, isSlice, type Value } from "./value.ts";

/** Truth as `if` sees it: not the zero value of its type, not empty. Structs are always true. */
export function isTrue(value: Value): boolean {
  if (value === undefined || value === null) return false;
  if (typeof value === "string") return value !== "";
  if (typeof value === "boolean") return value;
  // NaN is not zero.
  if (typeof value === "number") return value !== 0;
  if (value instanceof GoInt) return value.toNumber() !== 0;
  if (value instanceof GoComplex) return !value.isZero;
  if (isMap(value)) return value.size > 0;
  if (isSlice(value) || value instanceof Uint8Array) return value.length > 0;
  return true;
}
