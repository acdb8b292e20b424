import { type Value, fromPlain } from "@landscaper/golang";
import { Ajv2019 } from "ajv/dist/2019.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import { Ajv } from "ajv";
import type { Draft } from "./schema-documents.ts";

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

function load(): void {
  // ajv brings them as data.
  addOf(new Ajv2020(), 2020);
  addOf(new Ajv2019(), 2019);
  const draft7 = addOf(new Ajv(), 7);
  add(metaSchemaUrl(6), draft6(draft7), 6);
  add(metaSchemaUrl(4), draft4(), 4);
}

function addOf(ajv: Ajv | Ajv2019 | Ajv2020, draft: Draft): Plain {
  for (const [url, entry] of Object.entries(ajv.schemas)) {
    if (isPlain(entry)) add(url, entry["schema"], draft);
  }
  const main: unknown = ajv.schemas[metaSchemaUrl(draft)];
  const schema = isPlain(main) ? main["schema"] : undefined;
  return isPlain(schema) ? schema : {};
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
