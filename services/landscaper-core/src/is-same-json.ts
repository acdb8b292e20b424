import { isDeepEqual } from "@landscaper/patch";

/** API servers store texts as UTF-8, in which half of a surrogate pair has no place. */
function isSameText(a: string, b: string): boolean {
  return a.length === b.length && a.toWellFormed() === b.toWellFormed();
}

/** Whether two values are the same on the wire: key order and absent members do not count. */
export function isSameJson(a: unknown, b: unknown): boolean {
  return isDeepEqual(a ?? null, b ?? null, isSameText);
}
