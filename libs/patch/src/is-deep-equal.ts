import { equalNumbers, isNumeric } from "@landscaper/json";
import { getField, isJsonObject, type JsonObject } from "./json-object.ts";

/**
 * Equality of JSON data: order of fields does not matter, a field with the value `undefined` counts as absent, 1 differs from "1".
 * Numbers are equal if an API server stores the same for both.
 * `isSameText` compares texts that are not identical; none are equal by default.
 */
export function isDeepEqual(
  left: unknown,
  right: unknown,
  isSameText: (left: string, right: string) => boolean = neverEqual,
): boolean {
  if (left === right) {
    return true;
  }
  if (typeof left === "string" && typeof right === "string") {
    return isSameText(left, right);
  }
  if (isNumeric(left) && isNumeric(right)) {
    return equalNumbers(left, right);
  }
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((item, index) => isDeepEqual(item, right[index], isSameText));
  }
  return isJsonObject(left) && isJsonObject(right) && areEqualObjects(left, right, isSameText);
}

/** Makes no lists of fields: comparing takes most of the time of a job without changes. */
function areEqualObjects(
  left: JsonObject,
  right: JsonObject,
  isSameText: (left: string, right: string) => boolean,
): boolean {
  let count = 0;
  for (const key of Object.keys(left)) {
    const value = left[key];
    if (value === undefined) continue;
    // All other inherited members are functions, which JSON data never equals.
    const other = key === "__proto__" ? getField(right, key) : right[key];
    if (value !== other && !isDeepEqual(value, other, isSameText)) return false;
    count += 1;
  }
  const rightKeys = Object.keys(right);
  return count === rightKeys.length || count === rightKeys.filter((key) => right[key] !== undefined).length;
}

const neverEqual = (): boolean => false;
