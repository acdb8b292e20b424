import { defineField, fieldAt, isJsonObject, type JsonObject } from "../json-value.ts";

export interface MergeOptions {
  /** Whether non-empty values of `source` win over those of `base`; otherwise they only fill what is missing or empty. */
  readonly override: boolean;
}

/**
 * Merges `source` into a copy of `base` as the original's strategies `merge` and `mergeOverwrite` do (deployers.md §3.4):
 * maps are merged, everything else is replaced as a whole, and an empty value (0, false, "", [], {}, null) never replaces
 * another one.
 */
export function deepMerge(base: JsonObject, source: JsonObject, options: MergeOptions): JsonObject {
  const result: JsonObject = {};
  for (const [key, value] of Object.entries(base)) defineField(result, key, value);
  for (const [key, value] of Object.entries(source)) {
    if (value === undefined) continue;
    defineField(result, key, mergeValue(fieldAt(base, key), value, options));
  }
  return result;
}

function mergeValue(base: unknown, source: unknown, options: MergeOptions): unknown {
  if (base === undefined) return source;
  if (isJsonObject(base) && isJsonObject(source)) return deepMerge(base, source, options);
  const sourceWins = isEmptyValue(base) || options.override;
  return sourceWins && !isEmptyValue(source) ? source : base;
}

/** Whether Go would call the value empty: the zero of its type, or nothing. */
export function isEmptyValue(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === 0 || value === "") return true;
  if (Array.isArray(value)) return value.length === 0;
  return isJsonObject(value) && Object.keys(value).length === 0;
}
