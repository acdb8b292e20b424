import { isRecord } from "../objects/json.ts";
import { fieldSchemaOf } from "./schema-node.ts";
import type { SchemaNode } from "./schema-node.ts";

/**
 * Removes null from fields that may not be null, and fills in the defaults of fields that are absent or were such a null. Models
 * apiextensions pkg/apiserver/schema/defaulting. The argument is not changed.
 */
export function applyDefaults(value: unknown, schema: SchemaNode): unknown {
  return fillIn(dropNulls(value, schema), schema);
}

/** Defaults alone: an apply leaves nulls to the validation. */
export function applyDefaultsToNulls(value: unknown, schema: SchemaNode): unknown {
  return fillIn(value, schema);
}

function dropNulls(value: unknown, schema: SchemaNode | undefined): unknown {
  if (Array.isArray(value)) {
    return value.map((item) => dropNulls(item, schema?.items));
  }
  if (!isRecord(value)) {
    return value;
  }
  const kept = Object.entries(value).flatMap(([field, content]): [string, unknown][] => {
    const fieldSchema = schema === undefined ? undefined : fieldSchemaOf(schema, field);
    const isDropped = isForbiddenNull(content, fieldSchema) && fieldSchema?.defaultValue === undefined;
    return isDropped ? [] : [[field, dropNulls(content, fieldSchema)]];
  });
  return Object.fromEntries(kept);
}

function isForbiddenNull(value: unknown, schema: SchemaNode | undefined): boolean {
  return value === null && schema !== undefined && !schema.nullable;
}

function fillIn(value: unknown, schema: SchemaNode | undefined): unknown {
  if (schema === undefined) {
    return value;
  }
  if (Array.isArray(value)) {
    return value.map((item) => fillIn(defaultFor(item, schema.items), schema.items));
  }
  return isRecord(value) ? fillInObject(value, schema) : value;
}

function fillInObject(object: Record<string, unknown>, schema: SchemaNode): Record<string, unknown> {
  const result = Object.fromEntries(
    Object.entries(object).map(([field, content]) => {
      const fieldSchema = fieldSchemaOf(schema, field);
      return [field, fillIn(defaultFor(content, fieldSchema), fieldSchema)];
    }),
  );
  for (const [field, fieldSchema] of schema.properties) {
    if (fieldSchema.defaultValue !== undefined && !Object.hasOwn(result, field)) {
      result[field] = fillIn(structuredClone(fieldSchema.defaultValue), fieldSchema);
    }
  }
  return result;
}

/** A null that may not be gives way to the default; without one it stays, for the validation to refuse. */
function defaultFor(value: unknown, schema: SchemaNode | undefined): unknown {
  return isForbiddenNull(value, schema) ? structuredClone(schema?.defaultValue ?? null) : value;
}
