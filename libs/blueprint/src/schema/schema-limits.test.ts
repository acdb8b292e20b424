import { LandscaperError } from "@landscaper/api";
import { ContentBudget, processorClock } from "@landscaper/budget";
import { describe, expect, it } from "@jest/globals";
import { Ajv } from "ajv";
import * as fc from "fast-check";
import { createBlueprint } from "../create-blueprint.ts";
import { compileSchema } from "./compile-schema.ts";
import type { JsonSchema } from "./resolve-schema-refs.ts";
import { createSchemaChecker } from "./schema-checker.ts";

interface Check {
  readonly schema: JsonSchema;
  readonly value: unknown;
  readonly localTypes?: Readonly<Record<string, unknown>>;
}

function check({ schema, value, localTypes = {} }: Check, budget = new ContentBudget()): string {
  const source = createBlueprint({ "blueprint.yaml": { localTypes } });
  try {
    createSchemaChecker({ source, budget }).check(schema, value, "imports.x");
  } catch (error) {
    if (error instanceof LandscaperError) return error.message;
    throw error;
  }
  return "ok";
}

/** Each type refers to the one before twice. */
function doubling(types: number): Record<string, unknown> {
  const localTypes: Record<string, unknown> = { t0: { type: "string" } };
  for (let i = 1; i <= types; i++) {
    localTypes[`t${i}`] = { anyOf: [{ $ref: `local://t${i - 1}` }, { $ref: `local://t${i - 1}` }] };
  }
  return localTypes;
}

/** Each level of a value is checked twice, each with all that is below. */
const branching = {
  $ref: "#/definitions/n",
  definitions: {
    n: {
      anyOf: ["x", "y"].map((name) => ({ properties: { a: { $ref: "#/definitions/n" } }, required: [name] })),
    },
  },
};

function nested(levels: number): unknown {
  let value: unknown = {};
  for (let i = 0; i < levels; i++) value = { a: value };
  return value;
}

const tooLarge = "imports.x: the schema with all that it refers to: more than 268435456 bytes of results";
const tooMuch = "imports.x: checking it against its schema: more than 268435456 bytes of results";
const tooSlow = "imports.x: checking it against its schema: more than 10000 ms";

describe("schemas and values that take too much end with what they are at", () => {
  it.each<[string, Check, string]>([
    ["2^22 references", { schema: { $ref: "local://t22" }, value: "a", localTypes: doubling(22) }, tooLarge],
    [
      "100,000 properties",
      {
        schema: {
          properties: Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`p${i}`, { minLength: 2 }])),
        },
        value: {},
      },
      tooLarge,
    ],
    ["a recursive anyOf", { schema: branching, value: nested(30) }, tooMuch],
    [
      "a pattern of 1000 instructions on a long text",
      { schema: { pattern: "[ab]{1,900}e" }, value: "ab".repeat(1_000_000) },
      tooSlow,
    ],
    [
      "patterns for the names of fields",
      {
        schema: { patternProperties: { "([ab]{1,200}){1,4}c": {} } },
        value: Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`${"ab".repeat(5000)}${i}`, 1])),
      },
      tooSlow,
    ],
    ["the format url on a long text", { schema: { format: "url" }, value: `http://${":".repeat(500_000)}^` }, tooSlow],
  ])("%s", (_, hostile, message) => {
    expect(check(hostile)).toBe(message);
  });

  it.each<[string, Check]>([
    [
      "many lengths of a long text",
      { schema: { allOf: Array.from({ length: 1000 }, () => ({ minLength: 1 })) }, value: "a".repeat(4_000_000) },
    ],
    [
      "long lists of values for many items",
      {
        schema: { items: { enum: Array.from({ length: 6000 }, (_, i) => ({ a: i })) } },
        value: Array.from({ length: 6000 }, (_, i) => ({ a: -i })),
      },
    ],
  ])("%s, by the clock", (_, hostile) => {
    // Without a limit of memory, which a quick processor could reach first.
    const memoryBytes = Number.MAX_SAFE_INTEGER;
    const budget = new ContentBudget({ timeMs: 300, memoryBytes, clock: processorClock });
    expect(check(hostile, budget)).toBe("imports.x: checking it against its schema: more than 300 ms");
  });
});

describe("uniqueItems", () => {
  it("compares 50,000 objects without comparing each with each", () => {
    let looks = 0;
    const budget = new ContentBudget({ clock: () => ++looks / 1000 });
    const value = Array.from({ length: 50_000 }, (_, i) => ({ a: { b: i } }));
    expect(check({ schema: { uniqueItems: true }, value }, budget)).toBe("ok");
    expect(looks).toBeLessThan(1000);
  });

  it("says what ajv says", () => {
    const item = fc.oneof(
      fc.constantFrom(1, 0, 1.5, "1", "a", true, null, [], {}),
      fc.constantFrom({ a: 1, b: 2 }, { b: 2, a: 1 }, [1, 2], [2, 1], { a: [1] }),
    );
    const items = fc.constantFrom<unknown>(
      undefined,
      { type: "string" },
      { type: ["integer", "string"] },
      { type: "integer", nullable: true },
      { type: ["object", "string"] },
      { minimum: 0 },
    );
    const ajv = new Ajv({ strict: false, allErrors: true });
    fc.assert(
      fc.property(fc.array(item, { maxLength: 8 }), items, (value, itemSchema) => {
        const schema = { uniqueItems: true, ...(itemSchema === undefined ? {} : { items: itemSchema }) };
        const validate = ajv.compile(schema);
        validate(value);
        const want = validate.errors?.find(({ keyword }) => keyword === "uniqueItems")?.message;
        const budget = new ContentBudget();
        const compiled = compileSchema(schema, { draft: "http://json-schema.org/draft-07/schema#", path: "x", budget });
        const errors = compiled.check(value, { place: "x", budget });
        expect(errors.find(({ keyword }) => keyword === "uniqueItems")?.message).toBe(want);
      }),
      { seed: 7, numRuns: 300 },
    );
  });
});

it("counts all schemas of a job in one budget", () => {
  const budget = new ContentBudget({ memoryBytes: 100_000 });
  const schema = { properties: { a: { type: "string" } } };
  const messages = Array.from({ length: 5 }, () => check({ schema, value: { a: "b" } }, budget));
  expect(messages).toEqual([
    "ok",
    "ok",
    "imports.x: the schema with all that it refers to: more than 100000 bytes of results",
    "imports.x: the schema with all that it refers to: more than 100000 bytes of results",
    "imports.x: the schema with all that it refers to: more than 100000 bytes of results",
  ]);
});

it("cuts lists of allowed values in messages", () => {
  const message = check({ schema: { enum: Array.from({ length: 10_000 }, (_, i) => i) }, value: "a" });
  expect(message).toHaveLength("imports.x: expected one of ..., found another value".length + 1000);
});
