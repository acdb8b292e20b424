import { isDeepEqual } from "../is-deep-equal.ts";
import { isJsonObject, type JsonObject } from "../json-object.ts";
import { compareTexts } from "../compare-texts.ts";
import { PatchError } from "../patch-error.ts";
import type { FieldStrategy } from "../strategic-schema.ts";
import type { DiffParts } from "./diff-objects.ts";

interface ListDifference {
  readonly from: readonly unknown[];
  readonly to: readonly unknown[];
  readonly strategy: FieldStrategy;
  readonly parts: DiffParts;
  /** Half of the patch of an item that both lists have. */
  readonly diffItem: (from: JsonObject, to: JsonObject) => JsonObject;
}

interface ListPatch {
  /** Items of the patch's list. */
  readonly items: readonly unknown[];
  /** For `$deleteFromPrimitiveList`. */
  readonly removedScalars: readonly unknown[];
  /** For `$setElementOrder`: scalars, or objects that have the merge key alone. */
  readonly order: readonly unknown[];
}

/** Half of the patch of a list with strategy `merge`. */
export function diffLists(difference: ListDifference): ListPatch {
  const isOfObjects = [...difference.from, ...difference.to].some(isJsonObject);
  return isOfObjects ? diffKeyedLists(difference) : diffScalarLists(difference);
}

function diffScalarLists({ from, to, parts }: ListDifference): ListPatch {
  if (parts === "removals") {
    const kept = new Set(to);
    return { items: [], removedScalars: from.filter((item) => !kept.has(item)), order: [] };
  }
  const known = new Set(from);
  const items = [...new Set(to.filter((item) => !known.has(item)))];
  // As kubectl, whose sorting makes it blind for this one change of order, which means nothing.
  const isSame = isDeepEqual(
    from.toSorted((a, b) => compareTexts(String(a), String(b))),
    to,
  );
  return { items, removedScalars: [], order: isSame ? [] : to };
}

function diffKeyedLists({ from, to, strategy, parts, diffItem }: ListDifference): ListPatch {
  const { mergeKey } = strategy;
  if (mergeKey === undefined) throw new PatchError(500, "cannot merge lists without merge key");
  const before = itemsByKey(from, mergeKey);
  const after = itemsByKey(to, mergeKey);
  const items = [...after].flatMap(([key, item]) => {
    const known = before.get(key);
    if (known === undefined) return parts === "changes" ? [item] : [];
    const below = diffItem(known, item);
    return Object.keys(below).length === 0 ? [] : [{ ...below, [mergeKey]: key }];
  });
  if (parts === "removals") {
    const gone = [...before.keys()].filter((key) => !after.has(key));
    return {
      items: [...items, ...gone.map((key) => ({ $patch: "delete", [mergeKey]: key }))],
      removedScalars: [],
      order: [],
    };
  }
  const isSameOrder = isDeepEqual([...before.keys()], [...after.keys()]);
  const order = items.length === 0 && isSameOrder ? [] : [...after.keys()].map((key) => ({ [mergeKey]: key }));
  return { items, removedScalars: [], order };
}

/** Of several items with one key the last counts. */
function itemsByKey(list: readonly unknown[], mergeKey: string): Map<unknown, JsonObject> {
  return new Map(
    list.map((item) => {
      if (!isJsonObject(item)) throw new PatchError(500, "expected a list of objects, found a list of both");
      const key = item[mergeKey];
      if (key !== undefined) return [key, item];
      throw new PatchError(500, `map does not contain declared merge key: ${mergeKey}`);
    }),
  );
}
