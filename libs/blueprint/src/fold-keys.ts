import { isRecord } from "./describe-value.ts";

/**
 * Renames keys that differ from known names in case only, as Go's JSON decoder accepts them (core.md §3.7, §4.49).
 * A key in its right case wins; unknown keys stay.
 */
export function foldKeys(value: unknown, names: readonly string[]): unknown {
  if (!isRecord(value)) return value;
  const byLowerCase = new Map(names.map((name) => [name.toLowerCase(), name]));
  const folded: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    const name = byLowerCase.get(key.toLowerCase());
    if (name === undefined || name === key) folded[key] = item;
    else if (!Object.hasOwn(value, name)) folded[name] = item;
  }
  return folded;
}

/** foldKeys for every item of a list; anything else stays. */
export function foldEach(value: unknown, fold: (item: unknown) => unknown): unknown {
  return Array.isArray(value) ? value.map(fold) : value;
}
