import { cloneJson, getField, hasField, isJsonObject, setField, type JsonObject } from "../json-object.ts";
import { firstByKey } from "./first-by-key.ts";
import type { StrategicFields } from "../strategic-schema.ts";

/** One patch of two halves: what they say of one field or one item is put together, and where both say something, changes win. */
export function joinPatches(removals: JsonObject, changes: JsonObject, fields: StrategicFields): JsonObject {
  if (Object.keys(removals).length === 0) return changes;
  const joined: JsonObject = { ...removals };
  for (const [key, change] of Object.entries(changes)) {
    const removal = getField(removals, key);
    const strategy = Object.hasOwn(fields, key) ? (fields[key] ?? {}) : {};
    if (isJsonObject(change) && isJsonObject(removal)) {
      setField(joined, key, joinPatches(removal, change, strategy.fields ?? {}));
    } else if (Array.isArray(change) && Array.isArray(removal) && strategy.mergeKey !== undefined) {
      const order = getField(changes, `$setElementOrder/${key}`);
      const rules = { key: strategy.mergeKey, fields: strategy.fields ?? {}, order: Array.isArray(order) ? order : [] };
      setField(joined, key, joinItems(removal, change, rules));
    } else {
      setField(joined, key, change);
    }
  }
  return joined;
}

/** Items in the order of `$setElementOrder`, as the API server demands; those to delete stand in none and come last. */
function joinItems(
  removals: readonly unknown[],
  changes: readonly unknown[],
  { key, fields, order }: { key: string; fields: StrategicFields; order: readonly unknown[] },
): unknown[] {
  const keyOf = (item: unknown): unknown => (isJsonObject(item) ? item[key] : undefined);
  const removalsByKey = firstByKey(removals, key);
  const joined = changes.map((change) => {
    const removal = removalsByKey.get(keyOf(change));
    return removal !== undefined && isJsonObject(change) ? joinPatches(removal, change, fields) : change;
  });
  const changed = new Set(changes.map(keyOf));
  const all = [...joined, ...removals.filter((item) => !changed.has(keyOf(item)))];
  const ranks = new Map(order.map((item, index) => [keyOf(item), index]));
  const rankOf = (item: unknown): number => ranks.get(keyOf(item)) ?? ranks.size;
  return all.toSorted((a, b) => rankOf(a) - rankOf(b));
}

/**
 * A JSON merge patch of two: of `changes` what is set, of `removals` what is taken away. Where a field is set and something below it
 * is taken away, both are said.
 */
export function joinMergePatches({ changes, removals }: { changes: JsonObject; removals: JsonObject }): JsonObject {
  const joined = withoutNulls(changes);
  for (const [key, removal] of Object.entries(removals)) {
    const change = getField(joined, key);
    if (removal === null) {
      if (!hasField(joined, key)) setField(joined, key, null);
    } else if (isJsonObject(removal)) {
      const below = joinMergePatches({ changes: isJsonObject(change) ? change : {}, removals: removal });
      const isKept = change === undefined || isJsonObject(change);
      if (isKept && Object.keys(below).length > 0) setField(joined, key, below);
    }
  }
  return joined;
}

/** Null means removal, which the other half says. */
function withoutNulls(patch: JsonObject): JsonObject {
  const kept: JsonObject = {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) continue;
    const below = isJsonObject(value) ? withoutNulls(value) : cloneJson(value);
    const isEmptied =
      isJsonObject(value) && Object.keys(value).length > 0 && Object.keys(below as JsonObject).length === 0;
    if (!isEmptied) setField(kept, key, below);
  }
  return kept;
}
