import { describe, expect, it } from "@jest/globals";
import { Type } from "typebox";
import { LandscaperError } from "../errors/error.ts";
import { createParser, createAllErrorsParser } from "./parse.ts";
import { anyJson, exactlyOne, mapOf, object, optional, withDefault } from "./schema-fields.ts";

const schema = object(
  {
    name: Type.String({ minLength: 1 }),
    size: optional(Type.Integer({ minimum: 1, maximum: 9 })),
    code: optional(Type.String({ minLength: 3 })),
    pair: optional(Type.Array(Type.String(), { minItems: 2 })),
    color: optional(Type.Enum(["red", "blue"])),
    version: optional(Type.Enum(["3", "4", "true"])),
    kind: optional(Type.Literal("Thing")),
    tags: optional(Type.Array(Type.String(), { minItems: 1 })),
    map: optional(mapOf(Type.Object({ a: Type.String() }), "A map.")),
    either: optional(Type.Object({ x: optional(Type.String()), y: optional(Type.String()) }, exactlyOne("x", "y"))),
    strict: optional(Type.Object({ a: optional(Type.String()) }, { additionalProperties: false })),
    any: optional(anyJson("Anything.")),
    when: optional(Type.String({ format: "date-time" })),
    union: optional(
      Type.Union([Type.String(), Type.Array(Type.String())], { description: "a name or a list of names" }),
    ),
    nested: withDefault(object({ deep: withDefault(Type.String(), "x") }, "Nested."), {}),
  },
  "A thing.",
);
const parse = createParser<Record<string, unknown>>(schema, "Thing");

describe("createParser", () => {
  it("gives the value back with its defaults and its unknown fields", () => {
    expect(parse({ name: "a", unknown: [1] }, "file")).toEqual({ name: "a", unknown: [1], nested: { deep: "x" } });
  });

  it("does not change the given value", () => {
    const value = { name: "a", size: null };
    parse(value, "file");
    expect(value).toEqual({ name: "a", size: null });
  });

  it("does not copy what the schema says nothing about", () => {
    const value = { name: "a", any: { deep: [1] }, nested: { other: {} } };
    const parsed = parse(value, "file");
    expect(parsed["any"]).toBe(value.any);
    expect(parsed["nested"]).toEqual({ other: {}, deep: "x" });
    expect(value.nested).toEqual({ other: {} });
  });

  it("keeps a field called __proto__ as data", () => {
    const parsed = parse(JSON.parse('{"name": "a", "__proto__": {"size": 1}}'), "file");
    expect(Object.keys(parsed)).toEqual(["name", "__proto__", "nested"]);
    expect(parsed["size"]).toBeUndefined();
  });

  it("takes null for an absent field, but keeps it where any value may stand", () => {
    const value = {
      name: "a",
      size: null,
      tags: null,
      nested: { deep: null },
      map: { k: { a: "x" } },
      any: { b: null },
    };
    expect(parse(value, "file")).toEqual({
      name: "a",
      nested: { deep: "x" },
      map: { k: { a: "x" } },
      any: { b: null },
    });
    expect(parse({ name: "a", any: null, unknown: null }, "file")).toMatchObject({ any: null, unknown: null });
  });

  it.each([
    [undefined, "expected an object, found nothing"],
    [null, "expected an object, found null"],
    ["a secret", "expected an object, found a string"],
    [[], "expected an object, found an empty list"],
    [{}, "name: required field is missing"],
    [{ name: null }, "name: required field is missing"],
    [{ name: "" }, "name: expected at least 1 character, found an empty string"],
    [{ name: 5 }, "name: expected a string, found a number"],
    [
      { name: false },
      "name: expected a string, found a boolean (YAML reads y, n, yes, no, on, off, true and false as booleans: put a string in quotes)",
    ],
    [{ name: "a", size: "a secret" }, "size: expected an integer, found a string"],
    [{ name: "a", size: 1.5 }, "size: expected an integer, found a number"],
    [{ name: "a", code: "äb" }, "code: expected at least 3 characters, found 2"],
    [{ name: "a", pair: ["a secret"] }, "pair: expected at least 2 entries, found 1"],
    [
      { name: "a", ["k".repeat(201)]: 1, strict: { ["k".repeat(201)]: 1 } },
      `strict.${"k".repeat(200)}...: unknown field`,
    ],
    [{ name: "a", size: 0 }, "size: expected a number >= 1, found a number"],
    [{ name: "a", size: 10 }, "size: expected a number <= 9, found a number"],
    [{ name: "a", color: "a secret" }, 'color: expected one of "red", "blue", found another text'],
    [{ name: "a", color: "bleu" }, 'color: expected one of "red", "blue", found another text, did you mean "blue"?'],
    [{ name: "a", version: 4 }, 'version: expected one of "3", "4", "true", found a number (put it in quotes: "4")'],
    [
      { name: "a", version: true },
      'version: expected one of "3", "4", "true", found a boolean (put it in quotes: "true")',
    ],
    [{ name: "a", version: 5 }, 'version: expected one of "3", "4", "true", found a number'],
    [{ name: "a", kind: "Thin" }, 'kind: expected "Thing", found another text'],
    [{ name: "a", kind: "a secret" }, 'kind: expected "Thing", found another text'],
    [{ name: "a", tags: [] }, "tags: expected at least 1 entry, found an empty list"],
    [{ name: "a", tags: ["x", { y: 1 }] }, "tags[1]: expected a string, found an object"],
    [{ name: "a", map: { "k/1~": {} } }, "map.k/1~.a: required field is missing"],
    [{ name: "a", map: { k: true } }, "map.k: expected an object, found a boolean"],
    [{ name: "a", either: {} }, "either: expected exactly one of the fields x, y, found an empty object"],
    [{ name: "a", either: { x: "1", y: "2" } }, "either: expected exactly one of the fields x, y, found an object"],
    [{ name: "a", strict: { b: "a secret" } }, "strict.b: unknown field"],
    [{ name: "a", strict: { color: "red" } }, "strict.color: unknown field; color is a field of the top level"],
    [{ name: "a", when: "a secret" }, "when: expected a value of format date-time, found a string"],
    [{ name: "a", union: 5 }, "union: expected a name or a list of names, found a number"],
    [{ name: "a", union: [5] }, "union[0]: expected a string, found a number"],
  ])("refuses %j and names the field, but never the value", (value, problem) => {
    expect(() => parse(value, "config.yaml")).toThrow(
      new LandscaperError({ message: `config.yaml: not a valid Thing: ${problem}`, reason: "InvalidInput" }),
    );
  });

  it("says that it is a problem of the configuration that no retry solves", () => {
    let thrown: unknown;
    try {
      parse({}, "file");
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toMatchObject({ reason: "InvalidInput", codes: ["ERR_CONFIGURATION_PROBLEM"], retry: "never" });
  });
});

describe("createAllErrorsParser", () => {
  const parseAll = createAllErrorsParser<Record<string, unknown>>(schema, "Thing");

  it("returns a valid value, as createParser does", () => {
    const value = { name: "a", size: null, unknown: [1] };
    expect(parseAll(value, "file")).toEqual(parse(value, "file"));
  });

  it("reports all problems of a value, but only one for each union", () => {
    const value = { size: "x", strict: { a: 1, b: 2 }, tags: [1, "x", 2], union: [5], either: {} };
    const problems = [
      "name: required field is missing",
      "size: expected an integer, found a string",
      "tags[0]: expected a string, found a number",
      "tags[2]: expected a string, found a number",
      "either: expected exactly one of the fields x, y, found an empty object",
      "strict.b: unknown field",
      "strict.a: expected a string, found a number",
      "union[0]: expected a string, found a number",
    ];
    expect(() => parseAll(value, "file")).toThrow(
      new LandscaperError({
        message: problems.map((problem) => `file: not a valid Thing: ${problem}`).join("\n"),
        reason: "InvalidInput",
      }),
    );
  });

  it("suggests names for unknown fields, and quotes words that are not allowed", () => {
    const words = Type.Object(
      { relation: Type.Enum(["local", "external"]), labels: Type.Optional(Type.Array(Type.String())) },
      { additionalProperties: false },
    );
    const parseWords = createAllErrorsParser(words, "Thing");
    const messageOf = (value: object): unknown => {
      try {
        return parseWords(value, "file");
      } catch (error) {
        return error instanceof Error ? error.message : error;
      }
    };
    expect(messageOf({ relation: "internal", lables: [] })).toBe(
      [
        'file: not a valid Thing: lables: unknown field, did you mean "labels"?',
        'file: not a valid Thing: relation: expected one of "local", "external", found "internal", did you mean "external"?',
      ].join("\n"),
    );
    expect(messageOf({ relation: 1, different: 1 })).toBe(
      [
        "file: not a valid Thing: different: unknown field",
        'file: not a valid Thing: relation: expected one of "local", "external", found a number',
      ].join("\n"),
    );
    expect(() => createParser(words, "Thing")({ relation: "internal" }, "file")).toThrow("found another text");
  });

  it("throws a single problem as createParser does", () => {
    expect(() => parseAll({}, "file")).toThrow(new Error("file: not a valid Thing: name: required field is missing"));
  });
});
