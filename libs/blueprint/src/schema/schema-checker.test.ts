import { LandscaperError } from "@landscaper/api";
import { describe, expect, it } from "@jest/globals";
import { processorClock } from "@landscaper/budget";
import { createBlueprint } from "../create-blueprint.ts";
import { createRenderCaches } from "../render-caches.ts";
import type { JsonSchema } from "./resolve-schema-refs.ts";
import { createSchemaChecker } from "./schema-checker.ts";

function check(schema: JsonSchema, value: unknown, definition: unknown = {}): string {
  const checker = createSchemaChecker({ source: createBlueprint({ "blueprint.yaml": definition }) });
  try {
    checker.check(schema, value, "imports.x");
  } catch (error) {
    if (error instanceof LandscaperError) return error.message;
    throw error;
  }
  return "ok";
}

const draft = (name: string): string => `http://json-schema.org/${name}/schema#`;

describe("schema checks", () => {
  it.each<[JsonSchema, unknown, string]>([
    [true, 5, "ok"],
    [false, 5, "imports.x: expected nothing, found a number"],
    [{ type: "string" }, "a", "ok"],
    [{ type: "string" }, null, "imports.x: expected a string, found null"],
    [{ type: ["string", "null"] }, 1, "imports.x: expected a string or null, found a number"],
    [{ type: "integer" }, 1.5, "imports.x: expected an integer, found a number"],
    [{ type: "array" }, {}, "imports.x: expected a list, found a map"],
    [{ type: "object" }, [], "imports.x: expected a map, found a list"],
    [{ type: "boolean" }, "", "imports.x: expected a boolean, found an empty string"],
    [{ enum: ["a", 1] }, "b", 'imports.x: expected one of ["a",1], found another value'],
    [{ const: { a: 1 } }, {}, 'imports.x: expected {"a":1}, found another value'],
    [{ required: ["a"] }, {}, "imports.x.a: expected a value, found nothing"],
    [
      { properties: { a: { properties: { b: { type: "string" } } } } },
      { a: { b: 1 } },
      "imports.x.a.b: expected a string, found a number",
    ],
    [{ items: { type: "string" } }, ["a", 1], "imports.x[1]: expected a string, found a number"],
    [{ additionalProperties: false }, { z: 1 }, 'imports.x: the field "z" is not allowed'],
    [
      { properties: { port: {} }, additionalProperties: false },
      { prot: 1 },
      'imports.x: the field "prot" is not allowed: did you mean "port"?',
    ],
    [{ unevaluatedProperties: false }, { z: 1 }, 'imports.x: the field "z" is not allowed'],
    [{ dependentRequired: { a: ["b"] } }, { a: 1 }, "imports.x.b: expected a value, found nothing"],
    [{ pattern: "^a+$" }, "b", 'imports.x: expected text that matches "^a+$", found text that does not'],
    [{ format: "date" }, "x", "imports.x: expected text in the format date, found text in another form"],
    [{ format: "email" }, "a@example.com", "ok"],
    [{ minLength: 2 }, "a", "imports.x: expected at least 2 characters"],
    [{ maxItems: 1 }, [1, 2], "imports.x: expected at most 1 items"],
    [{ minProperties: 1 }, {}, "imports.x: expected at least 1 fields"],
    [{ minimum: 5 }, 4, "imports.x: expected a number >= 5"],
    [{ exclusiveMaximum: 5 }, 5, "imports.x: expected a number < 5"],
    [{ multipleOf: 2 }, 3, "imports.x: expected a multiple of 2"],
    [{ uniqueItems: true }, [1, 2, 1], "imports.x: expected every item once, found the items 0 and 2 to be equal"],
    [
      { contains: { type: "string" }, maxContains: 2 },
      [1],
      "imports.x[0]: expected a string, found a number; imports.x: expected at least 1 and at most 2 items that fit the schema of contains",
    ],
    [{ not: { type: "string" } }, "a", "imports.x: expected a value that does not fit the schema of not"],
    [{ items: [{}], additionalItems: false }, [1, 2], "imports.x: expected at most 1 items"],
    [{ format: "date", formatMinimum: "2026-01-01" }, "2025-01-01", "imports.x: expected a value >= 2026-01-01"],
    [
      { anyOf: [{ type: "string" }, { type: "null" }] },
      1,
      "imports.x: expected a string, found a number; imports.x: expected null, found a number; imports.x: expected a value that fits one of the schemas",
    ],
    [{ oneOf: [{}, {}] }, 1, "imports.x: expected a value that fits exactly one of the schemas"],
    [{ if: { type: "string" }, else: { minimum: 5 } }, 1, "imports.x: expected a number >= 5"],
    [
      { $ref: "#/definitions/a", definitions: { a: { type: "string" } } },
      1,
      "imports.x: expected a string, found a number",
    ],
    [
      { properties: { "a/b~c": { type: "string" } } },
      { "a/b~c": 1 },
      "imports.x.a/b~c: expected a string, found a number",
    ],
  ])("by %j for %j: %s", (schema, value, message) => {
    expect(check(schema, value)).toBe(message);
  });

  it("never shows the value", () => {
    const secret = "very-secret-value";
    for (const schema of [
      { type: "number" },
      { enum: ["a"] },
      { pattern: "^x$" },
      { format: "date" },
      { maxLength: 1 },
      { const: 1 },
      { not: {} },
    ]) {
      const message = check(schema, secret);
      expect(message).not.toBe("ok");
      expect(message).not.toContain(secret);
    }
  });

  it("says no more than anyone reads", () => {
    expect(check({ items: { type: "string" } }, Array(20).fill(1))).toBe(
      `${[0, 1, 2, 3, 4].map((i) => `imports.x[${i}]: expected a string, found a number`).join("; ")}; and 15 more`,
    );
  });

  it.each([
    ["draft-04", { minimum: 5, exclusiveMinimum: true }, 5, "imports.x: expected a number > 5"],
    ["draft-04", { maximum: 5, exclusiveMaximum: false }, 5, "ok"],
    ["draft-04", { id: "http://example.com/x", type: "string" }, "a", "ok"],
    ["draft-06", { exclusiveMinimum: 5 }, 5, "imports.x: expected a number > 5"],
    ["draft-07", { dependencies: { a: ["b"] } }, { a: 1 }, "imports.x.b: expected a value, found nothing"],
    [
      "draft/2019-09",
      { $defs: { a: { type: "string" } }, $ref: "#/$defs/a" },
      1,
      "imports.x: expected a string, found a number",
    ],
    ["draft/2020-12", { prefixItems: [{ type: "string" }] }, [1], "imports.x[0]: expected a string, found a number"],
  ] as const)("honours the declared draft %s", (name, schema, ...[value, message]) => {
    expect(check({ $schema: draft(name), ...schema }, value)).toBe(message);
    expect(check(schema, value, { jsonSchemaVersion: draft(name) })).toBe(message);
  });

  it("reads draft-04 bounds in a schema that declares nothing", () => {
    expect(check({ minimum: 5, exclusiveMinimum: true }, 5)).toBe("imports.x: expected a number > 5");
    expect(
      check(
        { properties: { exclusiveMinimum: { type: "boolean" }, id: { type: "string" } } },
        { exclusiveMinimum: true, id: 5 },
      ),
    ).toBe("imports.x.id: expected a string, found a number");
  });

  it.each<[JsonSchema, string]>([
    [
      { $schema: "http://example.com/my-own" },
      'imports.x: the schema\'s draft "http://example.com/my-own" is not known',
    ],
    [
      { type: "nonsense" },
      'imports.x: the schema is not valid: type: expected one of "array", "boolean", "integer", "null", "number", "object", "string", found "nonsense"',
    ],
    [
      { properties: { a: { type: "integre" } } },
      'imports.x: the schema is not valid: properties.a.type: expected one of "array", "boolean", "integer", "null", "number", "object", "string", found "integre", did you mean "integer"?',
    ],
    [
      { pattern: "(?=a)" },
      "imports.x: the schema is not valid: error parsing regexp: invalid or unsupported Perl syntax: `(?=`",
    ],
    [{ $ref: "blueprint://nope.json" }, 'imports.x: blueprint://nope.json: the blueprint has no file "nope.json"'],
    [{ $ref: "local://nope" }, "imports.x: local://nope: localTypes of the blueprint has no such type"],
    [{ $ref: "cd://resources/x" }, "imports.x: cd://resources/x: there is no component to look the schema up in"],
  ])("refuses the schema %j", (schema, message) => {
    expect(check(schema, "a")).toBe(message);
  });

  it("suggests the local type that is most like a missing one", () => {
    expect(check({ $ref: "local://hots" }, "a", { localTypes: { host: { type: "string" } } })).toBe(
      'imports.x: local://hots: localTypes of the blueprint has no such type: did you mean "local://host"?',
    );
  });

  it("matches patterns in linear time", () => {
    const started = processorClock();
    expect(check({ pattern: "^(a+)+$" }, `${"a".repeat(5000)}b`)).toContain("expected text that matches");
    expect(processorClock() - started).toBeLessThan(3000);
  });

  it("drops what stands beside a reference of ours, and resolves within the referred document", () => {
    const definition = {
      localTypes: { a: { $ref: "#/definitions/inner", definitions: { inner: { type: "integer" } } } },
    };
    expect(check({ $ref: "local://a", type: "string" }, 5, definition)).toBe("ok");
    expect(check({ $ref: "local://a#/definitions/inner" }, "x", definition)).toBe(
      "imports.x: expected an integer, found a string",
    );
    expect(check({ $ref: "local://a#/nope" }, "x", definition)).toBe(
      "imports.x: local://a#/nope: the schema has no /nope",
    );
  });

  it("asks the host for schemas of components, which have a scope of their own", () => {
    const checker = createSchemaChecker({
      source: createBlueprint({ "blueprint.yaml": { localTypes: { own: { type: "string" } } } }),
      readComponentSchema: (ref) => ({
        component: "example.com/c:1.0.0",
        document: { type: "object", properties: { [ref]: { $ref: "local://own" } } },
        localTypes: {},
        files: undefined,
        readComponentSchema: undefined,
      }),
    });
    expect(() => checker.check({ $ref: "cd://resources/s" }, {}, "imports.x")).toThrow(
      "imports.x: local://own: localTypes of the blueprint has no such type",
    );
  });

  it("compiles a schema once with caches", () => {
    const caches = createRenderCaches(2);
    const checker = createSchemaChecker({ source: createBlueprint({ "blueprint.yaml": "" }), caches });
    for (let i = 0; i < 3; i++) checker.check({ type: "string" }, "a", "imports.x");
    expect(caches.schemas.size).toBe(1);
    for (const type of ["number", "boolean", "null"]) {
      try {
        checker.check({ type }, "a", "imports.x");
      } catch {
        // Only the cache matters here.
      }
    }
    expect(caches.schemas.size).toBe(2);
  });
});
