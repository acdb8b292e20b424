import { getField, isJsonObject } from "./json-object.ts";

/** Equality of JSON data: order of fields does not matter, a field with the value `undefined` counts as absent, 1 differs from "1". */
export function isDeepEqual(left: unknown, right: unknown): boolean {
  if (left === right) {
    return true;
  }
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((item, index) => isDeepEqual(item, right[index]));
  }
  if (!isJsonObject(left) || !isJsonObject(right)) {
    return false;
  }
  const keys = Object.keys(left).filter((key) => left[key] !== undefined);
  const rightCount = Object.keys(right).filter((key) => right[key] !== undefined).length;
  return keys.length === rightCount && keys.every((key) => isDeepEqual(left[key], getField(right, key)));
}
