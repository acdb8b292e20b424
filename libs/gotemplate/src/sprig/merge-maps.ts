import { type GoMap, isEmpty, isMap, isSlice } from "@landscaper/golang";

/**
 * Merges `source` into `target` in place, as dario.cat/mergo does: without `overwrite` only keys that are missing or
 * empty in the target are set; with it all are, also to empty values and nil. Nested maps are merged, and shared rather
 * than copied where the target has none. Lists are replaced.
 */
export function mergeMaps(target: GoMap, source: GoMap, overwrite: boolean): void {
  for (const [key, value] of source) {
    if (value === null || value === undefined) {
      if (overwrite) target.set(key, null);
      continue;
    }
    const old = target.get(key);
    if (isMap(value) && isMap(old)) mergeMaps(old, value, overwrite);
    const isKept = old !== undefined && !isEmpty(old);
    if (isKept && isSlice(value)) {
      if (overwrite) target.set(key, value);
      continue;
    }
    if (isKept && isMap(value) && isMap(old)) continue;
    if (overwrite || !isKept) target.set(key, value);
  }
}
