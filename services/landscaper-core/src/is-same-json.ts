import { goJsonStringify } from "@landscaper/api";

/** Whether two values are the same on the wire: key order and absent members do not count. */
export function isSameJson(a: unknown, b: unknown): boolean {
  return a === b || goJsonStringify(a ?? null) === goJsonStringify(b ?? null);
}
