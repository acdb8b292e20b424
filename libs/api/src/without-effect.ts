import { withoutEffectKeyword } from "./ignored-fields.ts";

type JsonSchema = Readonly<Record<string, unknown>>;

function isJsonRecord(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * The schema by which a parser checks a value: a field without effect may hold anything, because a value that nobody reads is no reason to
 * refuse the object. Defaults stay.
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
