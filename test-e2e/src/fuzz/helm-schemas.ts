import type { ChartCase } from "@landscaper/helm/testing";
import * as fc from "fast-check";

const name = fc.constantFrom("a", "b", "c/d");
const count = fc.integer({ min: 0, max: 3 });
const number = fc.constantFrom(0, 1, 2, 2.5, -1, 1234);
const scalar = fc.constantFrom(null, true, false, 0, 1, 2.5, "", "a", "it's", 1234);
const text = fc.constantFrom("^a", "b$", "[0-9]+", "");

const { value, object } = fc.letrec<{ value: unknown; object: Record<string, unknown> }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthIdentifier: "value" },
    scalar,
    fc.array(tie("value"), { maxLength: 3, depthIdentifier: "value" }),
    tie("object"),
  ),
  object: fc.dictionary(name, tie("value"), { maxKeys: 3, depthIdentifier: "value" }),
}));

const type = fc.constantFrom("null", "boolean", "number", "integer", "string", "array", "object");

/**
 * A schema of at most a few keywords, so that values often fit most of it. propertyNames is not among them: in lists Helm's
 * library tells another item for it.
 */
const { schema } = fc.letrec<{ schema: unknown; object: Record<string, unknown> }>((tie) => {
  const inner = tie("schema");
  const list = fc.array(inner, { minLength: 1, maxLength: 2, depthIdentifier: "schema" });
  const named = fc.dictionary(name, inner, { maxKeys: 2, depthIdentifier: "schema" });
  const keywords: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
    type: fc.oneof(type, fc.uniqueArray(type, { minLength: 1, maxLength: 3 })),
    enum: fc.uniqueArray(scalar, { minLength: 1, maxLength: 3 }),
    const: scalar,
    minimum: number,
    maximum: number,
    exclusiveMinimum: number,
    exclusiveMaximum: number,
    multipleOf: fc.constantFrom(1, 2, 0.5),
    minLength: count,
    maxLength: count,
    pattern: text,
    minItems: count,
    maxItems: count,
    uniqueItems: fc.boolean(),
    items: inner,
    contains: inner,
    minProperties: count,
    maxProperties: count,
    required: fc.uniqueArray(name, { maxLength: 2 }),
    properties: named,
    patternProperties: fc.dictionary(text, inner, { maxKeys: 1 }),
    additionalProperties: inner,
    dependencies: fc.dictionary(name, fc.oneof(inner, fc.uniqueArray(name, { maxLength: 2 })), { maxKeys: 1 }),
    allOf: list,
    anyOf: list,
    oneOf: list,
    not: inner,
    if: inner,
    else: inner,
    $ref: fc.constantFrom("#/definitions/x", "#/definitions/y"),
    // Known to drafts from 2019 on only.
    dependentRequired: fc.dictionary(name, fc.uniqueArray(name, { maxLength: 2 }), { maxKeys: 1 }),
    dependentSchemas: named,
    minContains: count,
    maxContains: count,
    unevaluatedProperties: inner,
    unevaluatedItems: inner,
    prefixItems: list,
  };
  const chosen = fc
    .uniqueArray(fc.constantFrom(...Object.entries(keywords), ["then", inner] as const), {
      minLength: 1,
      maxLength: 4,
      selector: ([keyword]) => keyword,
    })
    .chain((entries) => fc.record(Object.fromEntries(entries)));
  return {
    schema: fc.oneof(
      { maxDepth: 3, depthIdentifier: "schema" },
      { arbitrary: fc.oneof(fc.constant(true), fc.record({ type }), fc.boolean()), weight: 1 },
      { arbitrary: chosen, weight: 6 },
    ),
    object: chosen,
  };
});

/** The definitions have no references, so that no schema refers to itself. */
const leaf = fc.oneof(
  fc.boolean(),
  fc.record({ type }),
  fc.record({ required: fc.uniqueArray(name), minProperties: count }),
);

const drafts = [
  "http://json-schema.org/draft-06/schema#",
  "http://json-schema.org/draft-07/schema#",
  "https://json-schema.org/draft/2019-09/schema",
  "https://json-schema.org/draft/2020-12/schema",
] as const;

/** A chart with a schema and values. */
export const helmSchemaCase: fc.Arbitrary<ChartCase> = fc
  .record({ root: schema, x: leaf, y: leaf, values: object, draft: fc.constantFrom(...drafts), given: value })
  .map(({ root, x, y, values, draft, given }) => ({
    name: "generated",
    files: {
      "chart/Chart.yaml": '{"apiVersion":"v2","name":"c","version":"1.0.0"}',
      "chart/values.yaml": JSON.stringify({ ...values, a: given }),
      "chart/values.schema.json": JSON.stringify({ $schema: draft, properties: { a: root }, definitions: { x, y } }),
    },
    steps: ["render"],
  }));
