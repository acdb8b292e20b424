import { equalNumbers } from "@landscaper/json";
import { getField, isJsonObject } from "./json-object.ts";

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
  if (!isJsonObject(left) || !isJsonObject(right)) {
    return false;
  }
  const keys = Object.keys(left).filter((key) => left[key] !== undefined);
  const rightCount = Object.keys(right).filter((key) => right[key] !== undefined).length;
  return keys.length === rightCount && keys.every((key) => isDeepEqual(left[key], getField(right, key), isSameText));
}

function isNumeric(value: unknown): value is number | bigint {
  return typeof value === "number" || typeof value === "bigint";
}

const neverEqual = (): boolean => false;
