import type { TSchema } from "typebox";
import type { StructuralSchema } from "../objects/foreign-kinds.ts";
import { describeEffect, withoutEffectKeyword } from "./ignored-fields.ts";

type JsonSchema = Readonly<Record<string, unknown>>;

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Keywords that a CRD takes as they are. */
const copiedKeywords = [
  "description",
  "type",
  "format",
  "default",
  "enum",
  "pattern",
  "minimum",
  "maximum",
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "minProperties",
  "maxProperties",
  "x-kubernetes-preserve-unknown-fields",
  "x-kubernetes-embedded-resource",
  "x-kubernetes-list-type",
  "x-kubernetes-validations",
] as const;

function convertProperties(properties: JsonSchema): Record<string, StructuralSchema> {
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, schema]) => (isSchema(schema) ? [[name, convert(schema)]] : [])),
  );
}

function convertMapValues(schema: JsonSchema): StructuralSchema | undefined {
  const patterns = schema["patternProperties"];
  const [values] = isSchema(patterns) ? Object.values(patterns) : [];
  return isSchema(values) ? convert(values) : undefined;
}

function convert(schema: JsonSchema): StructuralSchema {
  const result: Record<string, unknown> = {};
  for (const keyword of copiedKeywords) if (schema[keyword] !== undefined) result[keyword] = schema[keyword];
  const { description, [withoutEffectKeyword]: why } = schema;
  if (typeof description === "string") result["description"] = describeEffect(description, why);
  const { properties, items, required } = schema;
  if (isSchema(properties)) result["properties"] = convertProperties(properties);
  if (isSchema(items)) result["items"] = convert(items);
  if (Array.isArray(required) && required.length > 0) result["required"] = required;
  if (schema["x-kubernetes-preserve-unknown-fields"] !== true) {
    const values = convertMapValues(schema);
    if (values !== undefined) result["additionalProperties"] = values;
  }
  return result;
}

/**
 * The structural form that a CRD wants of a TypeBox schema: maps as additionalProperties, unions dropped (they stand for values
 * that are kept as they are), JSON Schema's own keywords gone.
 */
export function toStructuralSchema(schema: TSchema): StructuralSchema {
  return convert({ ...schema });
}
