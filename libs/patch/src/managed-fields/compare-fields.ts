import { isDeepEqual } from "../is-deep-equal.ts";
import type { JsonObject } from "../json-object.ts";
import { getField, isJsonObject, setField } from "../json-object.ts";
import type { FieldSchema, ListSchema, MapSchema } from "./field-schema.ts";
import { deducedSchema, fieldSchemaOf, itemElement, shapeOf } from "./field-schema.ts";
import type { FieldSet } from "./field-set.ts";
import { emptyFieldSet, makeNode, unionSets } from "./field-set.ts";

/** What became of the fields from one object to another. */
export interface FieldChanges {
  readonly added: FieldSet;
  readonly modified: FieldSet;
  readonly removed: FieldSet;
}

/** The same for one value: nodes, undefined where nothing is in them. */
interface NodeChanges {
  readonly added?: FieldSet | undefined;
  readonly modified?: FieldSet | undefined;
  readonly removed?: FieldSet | undefined;
}

interface Pair {
  readonly from: unknown;
  readonly to: unknown;
}

export function compareFields(schema: FieldSchema, from: JsonObject, to: JsonObject): FieldChanges {
  const { added, modified, removed } = compareValues(schema, { from, to }) ?? {};
  return { added: added ?? emptyFieldSet, modified: modified ?? emptyFieldSet, removed: removed ?? emptyFieldSet };
}

function compareValues(schema: FieldSchema, pair: Pair): NodeChanges | undefined {
  const { from, to } = pair;
  if (from === to) return undefined;
  // A null takes the shape of what it stands against.
  const shape = shapeOf(schema, to ?? from);
  if (isSomething(from) && isSomething(to) && shapeOf(schema, from).kind !== shape.kind) {
    return replaceValue(schema, pair);
  }
  if (shape.kind === "leaf" || (isNothing(from) && isNothing(to))) return compareLeaves(pair);
  const parts = shape.kind === "map" ? compareMaps(shape.schema, pair) : compareLists(shape.schema, pair);
  // A value that comes or goes does so itself, with all that is in it.
  return {
    added: makeNode(from === undefined, parts.added),
    modified: makeNode(false, parts.modified),
    removed: makeNode(to === undefined, parts.removed),
  };
}

/** A value without a schema that was a map and is a scalar or list now, or the other way round. */
function replaceValue(schema: FieldSchema, { from, to }: Pair): NodeChanges {
  const gone = compareValues(schema, { from, to: undefined });
  const come = compareValues(schema, { from: undefined, to });
  return { added: come?.added, removed: gone?.removed };
}

function isSomething(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** Nothing that could be owned one by one: such a value is owned itself. */
function isNothing(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  if (Array.isArray(value)) return value.length === 0;
  return isJsonObject(value) && Object.keys(value).length === 0;
}

function compareLeaves({ from, to }: Pair): NodeChanges | undefined {
  if (from === undefined) return { added: emptyFieldSet };
  if (to === undefined) return { removed: emptyFieldSet };
  return isDeepEqual(from, to) ? undefined : { modified: emptyFieldSet };
}

interface ChangesDraft {
  readonly added: Record<string, FieldSet>;
  readonly modified: Record<string, FieldSet>;
  readonly removed: Record<string, FieldSet>;
}

function enter(draft: ChangesDraft, element: string, changes: NodeChanges | undefined): void {
  if (changes === undefined) return;
  if (changes.added !== undefined) setField(draft.added, element, changes.added);
  if (changes.modified !== undefined) setField(draft.modified, element, changes.modified);
  if (changes.removed !== undefined) setField(draft.removed, element, changes.removed);
}

function compareMaps(schema: MapSchema, { from, to }: Pair): ChangesDraft {
  const draft: ChangesDraft = { added: {}, modified: {}, removed: {} };
  const before = isJsonObject(from) ? from : {};
  const after = isJsonObject(to) ? to : {};
  for (const key of Object.keys(before)) {
    const pair = { from: before[key], to: getField(after, key) };
    enter(draft, `f:${key}`, compareValues(fieldSchemaOf(schema, key) ?? deducedSchema, pair));
  }
  for (const key of Object.keys(after)) {
    if (Object.hasOwn(before, key)) continue;
    const pair = { from: undefined, to: after[key] };
    enter(draft, `f:${key}`, compareValues(fieldSchemaOf(schema, key) ?? deducedSchema, pair));
  }
  return draft;
}

function compareLists(schema: ListSchema, { from, to }: Pair): ChangesDraft {
  const draft: ChangesDraft = { added: {}, modified: {}, removed: {} };
  if (haveSameItems(schema, from, to)) return draft;
  const before = itemsByElement(schema, from);
  const after = itemsByElement(schema, to);
  for (const [element, item] of before) {
    enter(draft, element, compareValues(schema.item, { from: item, to: after.get(element) }));
  }
  for (const [element, item] of after) {
    if (!before.has(element)) enter(draft, element, compareValues(schema.item, { from: undefined, to: item }));
  }
  return draft;
}

/** Mostly a write leaves a list alone; seeing that needs no elements. */
function haveSameItems(schema: ListSchema, from: unknown, to: unknown): boolean {
  if (!Array.isArray(from) || !Array.isArray(to) || from.length !== to.length) return false;
  return from.every((item: unknown, index) => {
    const other: unknown = to[index];
    return item === other || (schema.relation === "map" && isDeepEqual(item, other));
  });
}

/** Of items with the same keys, which only objects that were stored before they had a schema can have, the last one counts. */
function itemsByElement(schema: ListSchema, list: unknown): ReadonlyMap<string, unknown> {
  const items: readonly unknown[] = Array.isArray(list) ? list : [];
  return new Map(items.map((item) => [itemElement(schema, item), item]));
}

/** All that is other than before: added or modified. */
export function writtenFields({ added, modified }: FieldChanges): FieldSet {
  return unionSets(added, modified);
}
