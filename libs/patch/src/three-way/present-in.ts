import { getField, hasField, isJsonObject, setField, type JsonObject } from "../json-object.ts";
import { firstByKey } from "./first-by-key.ts";
import type { FieldStrategy, StrategicFields } from "../strategic-schema.ts";

/**
 * The part of `object` that `current` has as well, whatever its values: only that can be removed. A directive below a field that is
 * about to be made would stay in it as it is. The object itself when `current` has all of it.
 */
export function presentIn(object: JsonObject, current: JsonObject, fields: StrategicFields): JsonObject {
  if (isWhole(object, current)) return object;
  const present: JsonObject = {};
  for (const [key, value] of Object.entries(object)) {
    if (!hasField(current, key)) continue;
    const strategy = Object.hasOwn(fields, key) ? (fields[key] ?? {}) : {};
    setField(present, key, presentValue(value, getField(current, key), strategy));
  }
  return present;
}

/** Whether `current` has every field of a flat object: the data of ConfigMaps, which may be many. */
function isWhole(object: JsonObject, current: JsonObject): boolean {
  return Object.keys(object).every((key) => typeof object[key] !== "object" && hasField(current, key));
}

function presentValue(value: unknown, current: unknown, strategy: FieldStrategy): unknown {
  if (isJsonObject(value) && isJsonObject(current)) return presentIn(value, current, strategy.fields ?? {});
  if (!Array.isArray(value) || !Array.isArray(current) || strategy.list !== "merge") return value;
  const { mergeKey, fields = {} } = strategy;
  if (mergeKey === undefined) {
    const known = new Set<unknown>(current);
    return value.filter((item) => known.has(item));
  }
  const byKey = firstByKey(current, mergeKey);
  return value.flatMap((item) => {
    if (!isJsonObject(item)) return [item];
    const live = byKey.get(item[mergeKey]);
    return live === undefined ? [] : [presentIn(item, live, fields)];
  });
}
