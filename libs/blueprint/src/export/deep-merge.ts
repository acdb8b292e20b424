import { isRecord } from "../parameter/describe-value.ts";

/** Merges maps key by key; lists and scalars of `later` replace (core.md §4.44). Neither argument is changed. */
export function deepMerge(
  earlier: Readonly<Record<string, unknown>>,
  later: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const merged: Record<string, unknown> = { ...earlier };
  for (const [key, value] of Object.entries(later)) {
    const old = Object.hasOwn(merged, key) ? merged[key] : undefined;
    merged[key] = isRecord(old) && isRecord(value) ? deepMerge(old, value) : value;
  }
  return merged;
}
