import { describeValue, typeName } from "./describe-value.ts";
import { getField, hasField, isJsonObject } from "./json-object.ts";
import type { JsonObject } from "./json-object.ts";
import { normalizeOrder, partitionByPresence } from "./list-order.ts";
import { isDirective, removeDirectives } from "./patch-directives.ts";
import { PatchError } from "./patch-error.ts";
import type { FieldStrategy, StrategicFields } from "./strategic-schema.ts";

/** Merges an item of the patch into the one with the same key; both are consumed. */
export type MergeItem = (original: JsonObject, patch: JsonObject, fields: StrategicFields) => JsonObject;

interface ListChange {
  readonly original: unknown[];
  readonly patch: unknown[];
  readonly strategy: FieldStrategy;
  /** `patch` lists scalars to remove. */
  readonly isDeletion: boolean;
  readonly mergeItem: MergeItem;
}

/** Merges a list with strategy `merge`: by merge key, or as a set of scalars; order of the patch before order of the original. */
export function mergeList({ original, patch, strategy, isDeletion, mergeItem }: ListChange): unknown[] {
  if (original.length === 0 && patch.length === 0) {
    return original;
  }
  if (!isListOfObjects(original, patch)) {
    if (isDeletion) {
      return original.filter((item) => !patch.includes(item));
    }
    return orderItems({ merged: dedupe([...original, ...patch]), patch, original, key: undefined });
  }
  const key = strategy.mergeKey;
  if (key === undefined) {
    throw new PatchError(500, "cannot merge lists without merge key");
  }
  const { kept, changes } = followItemDirectives(original.map(asItem), patch.map(asItem), key);
  const merged = mergeItems({ kept: [...kept], changes, key, strategy, mergeItem });
  return orderItems({ merged, patch: changes, original: kept, key });
}

/** The list after its merge, in the order of `$setElementOrder`; `undefined` when there is no list at all. */
export function orderMergedList(change: {
  readonly original: unknown[] | undefined;
  readonly patch: unknown[] | undefined;
  readonly order: unknown[];
  readonly strategy: FieldStrategy;
  readonly mergeItem: MergeItem;
}): unknown[] | undefined {
  const { original, patch, order, strategy } = change;
  const key = strategy.mergeKey;
  checkOrder(patch ?? [], order, key);
  const merged = mergePresent(change);
  if (merged === undefined) {
    return undefined;
  }
  // The API server refuses to order nothing.
  if ((original ?? []).length + (patch ?? []).length === 0) {
    throw new PatchError(500, "no elements in any of the given slices");
  }
  return orderItems({ merged, patch: order, original: liveOrder(original ?? [], patch ?? [], key), key });
}

/**
 * The order that items of the live object keep. The API server reads it from the list that it has meanwhile worked on: deletions have
 * moved items forward, and new ones stand where that has made room.
 */
function liveOrder(original: readonly unknown[], patch: readonly unknown[], key: string | undefined): unknown[] {
  if (key === undefined || !patch.every(isJsonObject)) return [...original];
  const { left, room } = withoutDeleted(original, patch.filter(isDirective), key);
  const known = new Set(left.map((item) => keyOf(item, key)));
  const added = patch.filter((item) => !isDirective(item) && !known.has(keyOf(item, key)));
  return [...left, ...room.map((item, index) => (index < added.length ? added[index] : item))];
}

/** What deletions leave, and what stands behind it then: where an item moves forward from, it stays as well. */
function withoutDeleted(
  original: readonly unknown[],
  deletions: readonly unknown[],
  key: string,
): { readonly left: unknown[]; readonly room: unknown[] } {
  const indexes = new Map<unknown, number[]>();
  for (const [index, item] of original.entries()) {
    const same = indexes.get(keyOf(item, key));
    if (same === undefined) indexes.set(keyOf(item, key), [index]);
    else same.push(index);
  }
  const deleted = new Set<number>();
  const room: unknown[] = [];
  let last = original.length - 1;
  for (const item of deletions) {
    for (const index of indexes.get(keyOf(item, key)) ?? []) {
      while (deleted.has(last)) last--;
      room.push(original[last]);
      deleted.add(index);
    }
    indexes.delete(keyOf(item, key));
  }
  return { left: original.filter((_, index) => !deleted.has(index)), room: room.toReversed() };
}

function mergePresent({
  original,
  patch,
  strategy,
  mergeItem,
}: Parameters<typeof orderMergedList>[0]): unknown[] | undefined {
  if (original === undefined) {
    return patch === undefined ? undefined : patch.filter((item) => !isDirective(item)).map(removeDirectives);
  }
  if (patch === undefined) {
    return original;
  }
  return strategy.list === "merge"
    ? mergeList({ original: [...original], patch, strategy, isDeletion: false, mergeItem })
    : patch;
}

/** The items of the patch must appear in `order`, in the same order. */
function checkOrder(patch: unknown[], order: unknown[], key: string | undefined): void {
  if (patch.length === 0 || order.length === 0) {
    return;
  }
  const items = patch.filter((item) => !isDirective(item));
  let next = 0;
  for (const entry of order) {
    if (next < items.length && keyOf(items[next], key) === keyOf(entry, key)) {
      next += 1;
    }
  }
  if (next < items.length) {
    const lists = `${describeValue(patch)}\n doesn't match $setElementOrder list:\n${describeValue(order)}`;
    throw new PatchError(500, `The order in patch list:\n${lists}\n`);
  }
}

function keyOf(item: unknown, key: string | undefined): unknown {
  return key === undefined ? item : keyValueOf(asItem(item), key);
}

function orderItems(lists: {
  readonly merged: unknown[];
  readonly patch: unknown[];
  readonly original: unknown[];
  readonly key: string | undefined;
}): unknown[] {
  const { merged, patch, original, key } = lists;
  const { present, absent } = partitionByPresence(merged, patch, (item) => keyOf(item, key));
  return normalizeOrder({
    patched: present,
    kept: absent,
    patchOrder: patch,
    liveOrder: original,
    keyOf: (item) => keyOf(item, key),
  });
}

/** Applies the items of the patch that carry `$patch` and returns what is left on both sides. */
function followItemDirectives(
  original: JsonObject[],
  patch: JsonObject[],
  key: string,
): { kept: JsonObject[]; changes: JsonObject[] } {
  const deleted = new Set<unknown>();
  let isReplaced = false;
  const changes: JsonObject[] = [];
  for (const item of patch) {
    const directive = getField(item, "$patch");
    if (directive === undefined) {
      changes.push(item);
    } else if (directive === "delete") {
      deleted.add(keyValueOf(item, key));
    } else if (directive === "replace") {
      isReplaced = true;
    } else if (directive === "merge") {
      throw new PatchError(500, "merging lists cannot yet be specified in the patch");
    } else {
      throw new PatchError(500, `unknown patch type: ${describeValue(directive)} in map: ${describeValue(item)}`);
    }
  }
  const kept = original.filter((candidate) => !deleted.has(getField(candidate, key)));
  return isReplaced ? { kept: changes, changes: [] } : { kept, changes };
}

function mergeItems(change: {
  readonly kept: JsonObject[];
  readonly changes: readonly JsonObject[];
  readonly key: string;
  readonly strategy: FieldStrategy;
  readonly mergeItem: MergeItem;
}): JsonObject[] {
  const { kept, changes, key, strategy, mergeItem } = change;
  const indexes = new Map<unknown, number>();
  for (const [index, item] of kept.entries()) {
    if (!indexes.has(getField(item, key))) indexes.set(getField(item, key), index);
  }
  for (const item of changes) {
    const value = keyValueOf(item, key);
    const index = indexes.get(value) ?? kept.length;
    const current = kept[index];
    indexes.set(value, index);
    kept[index] = current === undefined ? item : mergeItem(current, item, strategy.fields ?? {});
  }
  return kept;
}

function keyValueOf(item: JsonObject, key: string): unknown {
  if (!hasField(item, key)) {
    throw new PatchError(500, `map: ${describeValue(item)} does not contain declared merge key: ${key}`);
  }
  return getField(item, key);
}

function asItem(item: unknown): JsonObject {
  if (!isJsonObject(item)) {
    throw new PatchError(500, `expected a map[string]interface {}, but received a ${typeName(item)}`);
  }
  return item;
}

function isListOfObjects(original: unknown[], patch: unknown[]): boolean {
  const items = [...original, ...patch];
  if (items.some((item) => Array.isArray(item))) {
    throw new PatchError(422, "lists of lists are not supported");
  }
  const objects = items.filter(isJsonObject).length;
  if (objects !== 0 && objects !== items.length) {
    throw new PatchError(500, `list element types are not identical: ${describeValue([original, patch])}`);
  }
  return objects > 0;
}

function dedupe(items: unknown[]): unknown[] {
  return [...new Set(items)];
}
