import { type Value, fromPlain } from "@landscaper/golang";
// Data alone: the validators of ajv take a third of the time of a small rendering to load.
import schema2019 from "ajv/dist/refs/json-schema-2019-09/schema.json" with { type: "json" };
import applicator2019 from "ajv/dist/refs/json-schema-2019-09/meta/applicator.json" with { type: "json" };
import content2019 from "ajv/dist/refs/json-schema-2019-09/meta/content.json" with { type: "json" };
import core2019 from "ajv/dist/refs/json-schema-2019-09/meta/core.json" with { type: "json" };
import format2019 from "ajv/dist/refs/json-schema-2019-09/meta/format.json" with { type: "json" };
import metadata2019 from "ajv/dist/refs/json-schema-2019-09/meta/meta-data.json" with { type: "json" };
import validation2019 from "ajv/dist/refs/json-schema-2019-09/meta/validation.json" with { type: "json" };
import schema2020 from "ajv/dist/refs/json-schema-2020-12/schema.json" with { type: "json" };
import applicator2020 from "ajv/dist/refs/json-schema-2020-12/meta/applicator.json" with { type: "json" };
import unevaluated2020 from "ajv/dist/refs/json-schema-2020-12/meta/unevaluated.json" with { type: "json" };
import content2020 from "ajv/dist/refs/json-schema-2020-12/meta/content.json" with { type: "json" };
import core2020 from "ajv/dist/refs/json-schema-2020-12/meta/core.json" with { type: "json" };
import format2020 from "ajv/dist/refs/json-schema-2020-12/meta/format-annotation.json" with { type: "json" };
import metadata2020 from "ajv/dist/refs/json-schema-2020-12/meta/meta-data.json" with { type: "json" };
import validation2020 from "ajv/dist/refs/json-schema-2020-12/meta/validation.json" with { type: "json" };
import draft7 from "ajv/dist/refs/json-schema-draft-07.json" with { type: "json" };
import type { Draft } from "./schema-positions.ts";

interface MetaSchema {
  readonly schema: Value;
  readonly draft: Draft;
}

const known = new Map<string, MetaSchema>();

/** The schema of schemas, or a part of it, by its address; undefined when there is no such. */
export function metaSchema(url: string): MetaSchema | undefined {
  if (!/^https?:\/\/json-schema\.org\//.test(url)) return undefined;
  if (known.size === 0) load();
  return known.get(url.replace(/^https/, "http"));
}

/** Address of the schema of a draft's schemas, as messages name it. */
export function metaSchemaUrl(draft: Draft): string {
  if (draft >= 2019) return `https://json-schema.org/draft/${draft === 2019 ? "2019-09" : "2020-12"}/schema`;
  return `http://json-schema.org/draft-0${draft}/schema`;
}

const vocabularies2019: readonly Plain[] = [
  schema2019,
  applicator2019,
  content2019,
  core2019,
  format2019,
  metadata2019,
  validation2019,
];
const vocabularies2020: readonly Plain[] = [
  schema2020,
  applicator2020,
  unevaluated2020,
  content2020,
  core2020,
  format2020,
  metadata2020,
  validation2020,
];

function load(): void {
  for (const schema of vocabularies2020) add(idOf(schema), schema, 2020);
  for (const schema of vocabularies2019) add(idOf(schema), schema, 2019);
  add(metaSchemaUrl(7), draft7, 7);
  add(metaSchemaUrl(6), draft6(draft7), 6);
  add(metaSchemaUrl(4), draft4(), 4);
}

function idOf(schema: Plain): string {
  return String(schema["$id"]);
}

function add(url: string, schema: unknown, draft: Draft): void {
  known.set(url.replace(/^https/, "http"), { schema: fromPlain(schema), draft });
}

type Plain = Record<string, unknown>;

function isPlain(value: unknown): value is Plain {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Draft 7 without what it added. */
function draft6(draft7: Plain): Plain {
  const properties = isPlain(draft7["properties"]) ? { ...draft7["properties"] } : {};
  for (const added of [
    "$comment",
    "readOnly",
    "writeOnly",
    "contentMediaType",
    "contentEncoding",
    "if",
    "then",
    "else",
  ]) {
    delete properties[added];
  }
  return { ...draft7, $id: `${metaSchemaUrl(6)}#`, $schema: `${metaSchemaUrl(6)}#`, properties };
}

/** Draft 4: bounds that booleans make exclusive, no schemas that are booleans. */
function draft4(): Plain {
  const self = { $ref: "#" };
  const texts = { type: "array", items: { type: "string" }, minItems: 1, uniqueItems: true };
  const schemas = { type: "array", minItems: 1, items: self };
  const count = { type: "integer", minimum: 0 };
  const types = { enum: ["array", "boolean", "integer", "null", "number", "object", "string"] };
  const named = { type: "object", additionalProperties: self };
  const string = { type: "string" };
  const number = { type: "number" };
  const boolean = { type: "boolean" };
  const optional = { anyOf: [boolean, self] };
  const properties = {
    id: string,
    $schema: string,
    title: string,
    description: string,
    default: {},
    multipleOf: { type: "number", minimum: 0, exclusiveMinimum: true },
    maximum: number,
    exclusiveMaximum: boolean,
    minimum: number,
    exclusiveMinimum: boolean,
    maxLength: count,
    minLength: count,
    pattern: { type: "string", format: "regex" },
    additionalItems: optional,
    items: { anyOf: [self, schemas] },
    maxItems: count,
    minItems: count,
    uniqueItems: boolean,
    maxProperties: count,
    minProperties: count,
    required: texts,
    additionalProperties: optional,
    definitions: named,
    properties: named,
    patternProperties: named,
    dependencies: { type: "object", additionalProperties: { anyOf: [self, texts] } },
    enum: { type: "array", minItems: 1, uniqueItems: true },
    type: { anyOf: [types, { type: "array", items: types, minItems: 1, uniqueItems: true }] },
    format: string,
    allOf: schemas,
    anyOf: schemas,
    oneOf: schemas,
    not: self,
  };
  return {
    id: `${metaSchemaUrl(4)}#`,
    $schema: `${metaSchemaUrl(4)}#`,
    type: "object",
    properties,
    dependencies: { exclusiveMaximum: ["maximum"], exclusiveMinimum: ["minimum"] },
  };
}
