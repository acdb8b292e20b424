import { withoutEffectKeyword } from "./ignored-fields.ts";
import { isJsonRecord, type JsonRecord as JsonSchema } from "../values/json-value.ts";

/**
 * The schema by which a parser checks a value: a field without effect may hold any value, because no code reads it, so that it is no reason
 * to refuse the object. Defaults stay.
 */
export function acceptWithoutEffect(schema: JsonSchema): JsonSchema {
  return isJsonRecord(schema) && typeof schema[withoutEffectKeyword] === "string"
    ? dropConstraints(schema)
    : mapValues(schema, acceptMember);
}

function acceptMember(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(acceptMember);
  return isJsonRecord(value) ? acceptWithoutEffect(value) : value;
}

/** Only what fills in defaults. */
function dropConstraints({ default: value, properties }: JsonSchema): JsonSchema {
  return {
    ...(value === undefined ? {} : { default: value }),
    ...(isJsonRecord(properties)
      ? { properties: mapValues(properties, (field) => (isJsonRecord(field) ? dropConstraints(field) : field)) }
      : {}),
  };
}

function mapValues(record: JsonSchema, map: (value: unknown) => unknown): JsonSchema {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
}
