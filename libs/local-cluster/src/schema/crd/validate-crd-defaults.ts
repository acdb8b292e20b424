import type { FieldError } from "../../status/field-error.ts";
import { compileRules } from "../rules/compile-rules.ts";
import { childOf, elementOf } from "../field-path.ts";
import { prune } from "../prune.ts";
import { invalidValue } from "../schema-errors.ts";
import type { SchemaNode } from "../schema-node.ts";
import { validateListTypes } from "../values/validate-list-types.ts";
import { validateValue } from "../values/validate-value.ts";

/** Defaults must be values that the schema itself accepts. Models apiextensions schema/defaulting/validation.go. */
export function validateCrdDefaults(schema: SchemaNode, path: string): FieldError[] {
  const { items, additionalProperties, properties } = schema;
  return [
    ...validateDefault(schema, childOf(path, "default")),
    ...(items === undefined ? [] : validateCrdDefaults(items, childOf(path, "items"))),
    ...(additionalProperties === undefined || additionalProperties === "any"
      ? []
      : validateCrdDefaults(additionalProperties, childOf(path, "additionalProperties"))),
    ...[...properties].flatMap(([field, child]) =>
      validateCrdDefaults(child, elementOf(childOf(path, "properties"), field)),
    ),
  ];
}

function validateDefault(schema: SchemaNode, path: string): FieldError[] {
  const value = schema.defaultValue;
  if (value === undefined) {
    return [];
  }
  if (pruneDefault(value, schema).unknownFields.length > 0) {
    return [invalidValue(path, value, "must not have unknown fields")];
  }
  const { problems } = validateValue({ value, path: "" }, schema);
  const errors = [...problems.map((problem) => problem.toFieldError(path)), ...validateListTypes(value, schema, path)];
  return errors.length > 0 ? errors : validateRules(value, schema, path);
}

/** The value is no resource by itself, unless the schema says so. */
function pruneDefault(value: unknown, schema: SchemaNode): ReturnType<typeof prune> {
  return prune(value, schema, { isResource: schema.isEmbeddedResource });
}

function validateRules(value: unknown, schema: SchemaNode, path: string): FieldError[] {
  const check = compileRules(schema, { isResource: schema.isEmbeddedResource });
  return check === undefined ? [] : check({ value, old: undefined, path });
}
