import type { JsonObject } from "../json-object.ts";
import { isJsonObject, setField } from "../json-object.ts";
import type { FieldSchema, ListSchema, MapSchema } from "./field-schema.ts";
import { deducedSchema, fieldSchemaOf, itemElement, shapeOf } from "./field-schema.ts";
import type { FieldSet } from "./field-set.ts";
import { emptyFieldSet, makeNode } from "./field-set.ts";

/** The fields that an applied configuration speaks of: its leaves, keys of maps and items of lists, not the structures around them. */
export function appliedFields(schema: FieldSchema, config: JsonObject): FieldSet {
  return fieldsOf(schema, config) ?? emptyFieldSet;
}

function fieldsOf(schema: FieldSchema, value: unknown): FieldSet | undefined {
  const shape = shapeOf(schema, value);
  switch (shape.kind) {
    case "leaf":
      return emptyFieldSet;
    case "map":
      return isJsonObject(value) ? fieldsOfMap(shape.schema, value) : undefined;
    case "list":
      return Array.isArray(value) ? fieldsOfList(shape.schema, value) : undefined;
  }
}

function fieldsOfMap(schema: MapSchema, value: JsonObject): FieldSet {
  const result: Record<string, FieldSet> = {};
  for (const [key, content] of Object.entries(value)) {
    if (content === undefined) continue;
    const isEmpty = content === null || (isJsonObject(content) && Object.keys(content).length === 0);
    const below = fieldsOf(fieldSchemaOf(schema, key) ?? deducedSchema, content);
    const node = makeNode(isEmpty || !schema.fields.has(key) || below === emptyFieldSet, below ?? {});
    if (node !== undefined) setField(result, `f:${key}`, node);
  }
  return result;
}

function fieldsOfList(schema: ListSchema, items: readonly unknown[]): FieldSet {
  const result: Record<string, FieldSet> = {};
  for (const item of items) {
    const node = makeNode(true, fieldsOf(schema.item, item) ?? emptyFieldSet);
    if (node !== undefined) setField(result, itemElement(schema, item), node);
  }
  return result;
}
