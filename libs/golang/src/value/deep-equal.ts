import { GoInt } from "./go-int.ts";
import { typeName } from "./type-name.ts";
import { collectionType, GoObject, isMap, isSlice, type CallContext, type Value } from "./value.ts";

/**
 * reflect.DeepEqual: types must agree too, so that 3 (int) and 3.0 (float64) differ. The context is charged for each pair
 * that must be looked into.
 */
export function isDeepEqual(a: Value, b: Value, context: Pick<CallContext, "spend">): boolean {
  const x = a ?? null;
  const y = b ?? null;
  if (x === y) return true;
  if (x === null || y === null || typeof x !== "object" || typeof y !== "object") return false;
  context.spend(1);
  if (typeName(x) !== typeName(y)) return false;
  if (x instanceof GoInt && y instanceof GoInt) return x.isSameNumber(y);
  if (x instanceof GoObject && y instanceof GoObject) return x.isEqual(y);
  if (x instanceof Uint8Array && y instanceof Uint8Array) {
    return x.length === y.length && x.every((byte, i) => byte === y[i]);
  }
  if (isSlice(x) && isSlice(y)) {
    if (x[collectionType]?.isNil !== y[collectionType]?.isNil) return false;
    return x.length === y.length && x.every((item, i) => isDeepEqual(item, y[i], context));
  }
  if (isMap(x) && isMap(y)) {
    if (x[collectionType]?.isNil !== y[collectionType]?.isNil) return false;
    return x.size === y.size && [...x].every(([key, item]) => y.has(key) && isDeepEqual(item, y.get(key), context));
  }
  return false;
}
