import { describe, expect, it } from "@jest/globals";
import type { Float64Object, Float64Value } from "@landscaper/json";
import { assert, property, string } from "fast-check";
import { checkLength, composeValues } from "./compose-values.ts";
import type { ValuesSource } from "./read-values.ts";
import type { ValuesReference } from "./values-reference.ts";

function reference(more: Partial<ValuesReference> = {}): ValuesReference {
  return {
    kind: "Secret",
    name: "s",
    key: "values.yaml",
    targetPath: undefined,
    isOptional: false,
    field: "valuesFrom[0]",
    ...more,
  };
}

function text(content: string, targetPath?: string): ValuesSource {
  return { reference: reference({ targetPath }), content: { type: "text", text: content } };
}

function data(content: Float64Value, targetPath?: string): ValuesSource {
  return { reference: reference({ kind: "DataObject", targetPath }), content: { type: "data", data: content } };
}

describe("values", () => {
  it.each<[string, ValuesSource[], Float64Object, Record<string, unknown>]>([
    ["without sources", [], { a: 1, b: null }, { a: 1, b: null }],
    [
      "tables are merged",
      [text("a: { x: 1, w: 1 }"), text("a: { w: 2 }")],
      { a: { z: 3 } },
      { a: { x: 1, w: 2, z: 3 } },
    ],
    ["lists are replaced, by the last", [text("a: [1, 2]"), data({ a: [3] })], {}, { a: [3] }],
    ["values win", [text("a: 1\nb: 1"), text("replaced", "b")], { a: 2 }, { a: 2, b: "replaced" }],
    ["null stays, to take a default away", [text("a: null"), text("b: 1")], { b: null }, { a: null, b: null }],
    ["an empty text gives nothing", [text(""), text("# none\n")], { a: 1 }, { a: 1 }],
    ["data as it is", [data({ a: "1", b: [true, null, 1.5] })], {}, { a: "1", b: [true, null, 1.5] }],
    ["data at a path", [data([1, { x: "a,b=c" }], "a.b")], {}, { a: { b: [1, { x: "a,b=c" }] } }],
    ["a path as of --set", [text("v", String.raw`a\.b[1].c`)], {}, { "a.b": [null, { c: "v" }] }],
    [
      "a path into what is there",
      [text("a: { b: [{ c: 1 }] }"), text("v", "a.b[0].d")],
      {},
      { a: { b: [{ c: 1, d: "v" }] } },
    ],
    [
      "__proto__ is a name",
      [text("v", "__proto__.a")],
      {},
      JSON.parse('{"__proto__": {"a": "v"}}') as Record<string, unknown>,
    ],
  ])("%s", (_, ...[sources, values, expected]) => {
    expect(composeValues(sources, values).values).toEqual(expected);
  });

  it.each([
    ["true", true],
    ["FALSE", false],
    ["null", null],
    ["0", 0],
    ["-12", -12],
    ["007", "007"],
    ["1.5", "1.5"],
    ["", ""],
    ["'true'", "true"],
    ['"12"', "12"],
    ["12345678901234567890", "12345678901234567890"],
    ["a,b=c", "a,b=c"],
    ["{a,b}", "{a,b}"],
    [String.raw`a\b`, String.raw`a\b`],
    ["two\nlines\n", "two\nlines\n"],
  ])("%j at a path is %j", (content, expected) => {
    expect(composeValues([text(content, "a")], {}).values).toEqual({ a: expected });
  });

  it("tell templates integers from other numbers, at a path", () => {
    const { given } = composeValues([text("12345678", "a"), text("b: 12345678")], { c: 12_345_678 });
    expect(given).toEqual({ a: 12_345_678n, b: 12_345_678, c: 12_345_678 });
  });

  it("take every text in quotes as it is", () => {
    assert(
      property(string({ unit: "grapheme" }), (content) => {
        expect(composeValues([text(`"${content}"`, "a.b")], {}).values).toEqual({ a: { b: content } });
      }),
      { seed: 7 },
    );
  });

  it.each<[ValuesSource, string]>([
    [text("a: *hunter2"), "valuesFrom[0]: Secret s: key values.yaml: expected YAML: line 1: unknown anchor referenced"],
    [
      text("a: 1\nb: [hunter2"),
      "valuesFrom[0]: Secret s: key values.yaml: expected YAML: line 3: did not find expected ',' or ']'",
    ],
    [
      text("hunter2"),
      "valuesFrom[0]: Secret s: key values.yaml: expected a YAML map of values, or a targetPath for the value",
    ],
    [data(["hunter2"]), "valuesFrom[0]: DataObject s: expected a map of values, or a targetPath for the value"],
  ])("of %j are refused without a word of the content", (source, message) => {
    expect(() => composeValues([source], {})).toThrow(expect.objectContaining({ message, reason: "InvalidValues" }));
  });

  it("that a path would lead through are no tables", () => {
    expect(() => composeValues([text("a: hunter2"), text("v", "a.b")], {})).toThrow(
      "valuesFrom[0]: Secret s: key values.yaml: targetPath a.b: unable to parse key: interface conversion: interface {} is string, not map[string]interface {}",
    );
  });
});

it("refuses more values than a chart may have", () => {
  const many = Array.from({ length: 16_000 }, (_, index) => `k${index}: v`).join("\n");
  const other = Object.fromEntries(Array.from({ length: 16_000 }, (_, index) => [`o${index}`, "v"]));
  expect(() => composeValues([text(many)], {})).not.toThrow();
  expect(() => composeValues([text(many)], other)).toThrow(
    "values and valuesFrom: expected at most 30000 values, found more",
  );
});

it("refuses longer texts than a job may compose", () => {
  const sources = [text("x".repeat(600_000), "a"), text("x".repeat(600_000), "b")];
  expect(() => checkLength(sources.slice(1))).not.toThrow();
  expect(() => checkLength(sources)).toThrow(
    "valuesFrom: expected at most 1024 Ki characters in all objects, found more",
  );
});
