/**
 * Renames keys that differ from known names in case only, as Go's JSON decoder accepts them (core.md §3.7, §4.49).
 * A key in its right case wins; unknown keys stay. What is no map stays as it is.
 */
export function foldKeys(value: unknown, names: readonly string[]): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const byLowerCase = new Map(names.map((name) => [name.toLowerCase(), name]));
  const folded = Object.entries(value).flatMap(([key, item]): [string, unknown][] => {
    const name = byLowerCase.get(key.toLowerCase()) ?? key;
    return name === key || !Object.hasOwn(value, name) ? [[name, item]] : [];
  });
  return Object.fromEntries(folded);
}

/** foldKeys for every item of a list; anything else stays. */
export function foldEach(value: unknown, fold: (item: unknown) => unknown): unknown {
  return Array.isArray(value) ? value.map(fold) : value;
}
