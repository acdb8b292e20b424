import type { JsonObject } from "../json-object.ts";
import { isJsonObject, setField } from "../json-object.ts";
import type { FieldSchema, ListSchema, MapSchema } from "./field-schema.ts";
import { deducedSchema, fieldSchemaOf, itemElement, shapeOf } from "./field-schema.ts";
import type { FieldSet } from "./field-set.ts";
import { childOf, emptyFieldSet, isMember } from "./field-set.ts";

/** Which fields go: those that a manager applied before and that nobody owns now. */
export interface Pruning {
  /** What the manager applied the last time. */
  readonly last: FieldSet;
  /** What all managers own now, this one with what it applies this time. */
  readonly owned: FieldSet;
}

/** `object` without the fields to prune; a map or list that is left empty by that becomes null. */
export function pruneFields(schema: FieldSchema, object: JsonObject, pruning: Pruning): JsonObject {
  const pruned = pruneValue(schema, object, pruning);
  return isJsonObject(pruned) ? pruned : {};
}

function pruneValue(schema: FieldSchema, value: unknown, pruning: Pruning): unknown {
  const shape = shapeOf(schema, value);
  if (shape.kind === "map" && isJsonObject(value)) return pruneMap(shape.schema, value, pruning);
  if (shape.kind === "list" && Array.isArray(value)) return pruneList(shape.schema, value, pruning);
  return value;
}

function pruneMap(schema: MapSchema, value: JsonObject, pruning: Pruning): JsonObject | null {
  const result: JsonObject = {};
  let hasChanged = false;
  for (const [key, content] of Object.entries(value)) {
    // A declared field stands for all that is in it, also where only parts of it were applied.
    const below = narrow(pruning, `f:${key}`, schema.fields.has(key));
    if (below === "gone") {
      hasChanged = true;
      continue;
    }
    const fieldSchema = fieldSchemaOf(schema, key) ?? deducedSchema;
    const kept = below === undefined ? content : pruneValue(fieldSchema, content, below);
    hasChanged ||= kept !== content;
    setField(result, key, kept);
  }
  if (!hasChanged) return value;
  return Object.keys(result).length === 0 ? null : result;
}

function pruneList(schema: ListSchema, items: readonly unknown[], pruning: Pruning): readonly unknown[] | null {
  const result: unknown[] = [];
  let hasChanged = false;
  for (const item of items) {
    const below = narrow(pruning, itemElement(schema, item), false);
    if (below === "gone") {
      hasChanged = true;
      continue;
    }
    const kept = below === undefined ? item : pruneValue(schema.item, item, below);
    hasChanged ||= kept !== item;
    result.push(kept);
  }
  if (!hasChanged) return items;
  return result.length === 0 ? null : result;
}

/** Undefined where nothing was applied before, hence nothing can go; "gone" for a field that goes itself. */
function narrow({ last, owned }: Pruning, element: string, isDeclared: boolean): Pruning | "gone" | undefined {
  const before = childOf(last, element);
  if (before === undefined) return undefined;
  const now = childOf(owned, element);
  const isOwned = now !== undefined && (isDeclared || isMember(now));
  if ((isDeclared || isMember(before)) && !isOwned) return "gone";
  return { last: before, owned: now ?? emptyFieldSet };
}
