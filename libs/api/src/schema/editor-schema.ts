import type { TSchema } from "typebox";
import { zeroIsAbsentKeyword } from "./absent-fields.ts";
import { describeEffect, withoutEffectKeyword } from "./ignored-fields.ts";

type JsonSchema = Record<string, unknown>;

/** What only our parsers read. */
const ownKeywords: ReadonlySet<string> = new Set([withoutEffectKeyword, zeroIsAbsentKeyword]);

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The parser fills defaults in, so whoever writes the file need not. */
function requiredWithoutDefaults(schema: JsonSchema): unknown[] {
  const { required, properties } = schema;
  if (!Array.isArray(required)) return [];
  const fields = isSchema(properties) ? properties : {};
  return required.filter((name) => {
    const field = fields[String(name)];
    return !(isSchema(field) && "default" in field);
  });
}

function convertFields(fields: JsonSchema, definitions: JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, convert(field, definitions)]));
}

/** Definitions of recursive schemas move to the top of the file, where every reference finds them. */
function hoist(schema: JsonSchema, definitions: JsonSchema): void {
  const { $defs } = schema;
  if (!isSchema($defs)) return;
  for (const [name, definition] of Object.entries($defs)) {
    if (definitions[name] === undefined) {
      definitions[name] = {};
      definitions[name] = convert(definition, definitions);
    }
  }
}

function convertKeyword(keyword: string, value: unknown, definitions: JsonSchema): JsonSchema {
  if (keyword.startsWith("x-kubernetes-") || ownKeywords.has(keyword)) return {};
  switch (keyword) {
    case "$id":
    case "$defs":
    case "required":
      return {};
    case "$ref":
      return { $ref: `#/definitions/${String(value)}` };
    case "properties":
      return { properties: isSchema(value) ? convertFields(value, definitions) : {} };
    case "patternProperties":
      return { additionalProperties: convert(isSchema(value) ? Object.values(value)[0] : true, definitions) };
    case "items":
      return { items: convert(value, definitions) };
    case "anyOf":
    case "oneOf":
      return { [keyword]: Array.isArray(value) ? value.map((branch) => convertBranch(branch, definitions)) : value };
    default:
      return { [keyword]: value };
  }
}

/** A branch of `exactlyOne` is nothing but its requirement. */
function convertBranch(branch: unknown, definitions: JsonSchema): unknown {
  return isSchema(branch) && "required" in branch && !("properties" in branch) ? branch : convert(branch, definitions);
}

function convert(schema: unknown, definitions: JsonSchema): unknown {
  if (!isSchema(schema)) return schema;
  hoist(schema, definitions);
  const result: JsonSchema = {};
  for (const [keyword, value] of Object.entries(schema)) {
    Object.assign(result, convertKeyword(keyword, value, definitions));
  }
  const { description, [withoutEffectKeyword]: why } = schema;
  if (typeof description === "string") result["description"] = describeEffect(description, why);
  const required = requiredWithoutDefaults(schema);
  return required.length > 0 ? { ...result, required } : result;
}

/** JSON schema (draft 07, which editors know best) of a file that users write. */
export function toEditorSchema(schema: TSchema): JsonSchema {
  const definitions: JsonSchema = {};
  const converted = convert({ ...schema }, definitions);
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    ...(isSchema(converted) ? converted : {}),
    ...(Object.keys(definitions).length > 0 ? { definitions } : {}),
  };
}
