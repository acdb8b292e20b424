import { isDeepEqual } from "../is-deep-equal.ts";
import { getField, hasField, isJsonObject, setField, type JsonObject } from "../json-object.ts";
import type { FieldStrategy, StrategicFields } from "../strategic-schema.ts";
import { diffLists } from "./diff-lists.ts";

/** Which half of a difference is wanted: what is added or changed, or what is gone. */
export type DiffParts = "changes" | "removals";

export interface DiffRules {
  readonly fields: StrategicFields;
  readonly parts: DiffParts;
  /** The object is of one kind at a time, such as a volume: all fields but these are to be cleared. */
  readonly retainsKeys?: boolean | undefined;
}

/** Half of the strategic merge patch from one object to another; it may share with both. */
export function diffObjects(from: JsonObject, to: JsonObject, rules: DiffRules): JsonObject {
  const patch: JsonObject = {};
  const mayDiffer = (key: string): boolean => {
    const value = to[key];
    return typeof value === "object" ? hasField(to, key) : rules.parts === "changes" && value !== getField(from, key);
  };
  // Sorting costs more than all else, and of many values most are the same.
  for (const key of Object.keys(to).filter(mayDiffer).toSorted()) {
    if (hasField(to, key)) diffField(patch, { key, from: getField(from, key), to: getField(to, key), rules });
  }
  if (rules.parts === "removals") {
    for (const key of Object.keys(from)) {
      if (hasField(from, key) && !hasField(to, key)) setField(patch, key, null);
    }
  }
  return rules.retainsKeys === true ? retainKeys(patch, from, to) : patch;
}

interface FieldDifference {
  readonly key: string;
  readonly from: unknown;
  readonly to: unknown;
  readonly rules: DiffRules;
}

function diffField(patch: JsonObject, { key, from, to, rules }: FieldDifference): void {
  const { parts, fields } = rules;
  const strategy = Object.hasOwn(fields, key) ? (fields[key] ?? {}) : {};
  if (isJsonObject(from) && isJsonObject(to) && strategy.object !== "replace") {
    const below = diffObjects(from, to, rulesBelow(strategy, parts));
    if (Object.keys(below).length > 0) setField(patch, key, below);
    return;
  }
  if (Array.isArray(from) && Array.isArray(to) && strategy.list === "merge") {
    Object.assign(patch, diffMergedList(key, { from, to, strategy, parts }));
    return;
  }
  if (parts === "changes" && !isDeepEqual(from, to)) setField(patch, key, to);
}

function rulesBelow({ fields = {}, retainsKeys }: FieldStrategy, parts: DiffParts): DiffRules {
  return { fields, parts, retainsKeys };
}

function diffMergedList(
  key: string,
  difference: { from: unknown[]; to: unknown[]; strategy: FieldStrategy; parts: DiffParts },
): JsonObject {
  const rules = rulesBelow(difference.strategy, difference.parts);
  const diffItem = (from: JsonObject, to: JsonObject): JsonObject => diffObjects(from, to, rules);
  const { items, removedScalars, order } = diffLists({ ...difference, diffItem });
  return {
    ...(items.length === 0 ? {} : { [key]: items }),
    ...(removedScalars.length === 0 ? {} : { [`$deleteFromPrimitiveList/${key}`]: removedScalars }),
    ...(order.length === 0 ? {} : { [`$setElementOrder/${key}`]: order }),
  };
}

/** The directive is needed when something changes, and when the live object has more than it should. */
function retainKeys(patch: JsonObject, from: JsonObject, to: JsonObject): JsonObject {
  const hasMore = Object.keys(from).some((key) => hasField(from, key) && !hasField(to, key));
  if (Object.keys(patch).length === 0 && !hasMore) return patch;
  const keys = Object.keys(to).filter((key) => hasField(to, key));
  return keys.length === 0 ? patch : { ...patch, $retainKeys: keys.toSorted() };
}
