import { GoComplex } from "./go-complex.ts";
import { GoObject, type Value } from "./value.ts";
import { isTrue } from "./truth.ts";

/** Sprig's notion of empty: nil, zero, "", false and empty collections; structs never are. */
export function isEmpty(value: Value): boolean {
  return (!(value instanceof GoObject) || value instanceof GoComplex) && !isTrue(value);
}
