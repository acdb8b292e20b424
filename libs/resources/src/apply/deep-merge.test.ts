import { describe, expect, it } from "@jest/globals";
import * as fc from "fast-check";
import { deepMerge, isEmptyValue } from "./deep-merge.ts";
import type { JsonObject } from "../json-value.ts";

describe("deepMerge without override", () => {
  it.each<readonly [string, JsonObject, JsonObject, JsonObject]>([
    ["fills what is missing", {}, { a: 1 }, { a: 1 }],
    ["fills missing fields even with empty values", {}, { a: "" }, { a: "" }],
    ["keeps what is there", { a: 1 }, { a: 2 }, { a: 1 }],
    [
      "fills what is empty",
      { a: "", b: 0, c: false, d: [], e: null },
      { a: "x", b: 1, c: true, d: [1], e: {} },
      { a: "x", b: 1, c: true, d: [1], e: null },
    ],
    ["merges maps", { m: { a: 1 } }, { m: { b: 2 } }, { m: { a: 1, b: 2 } }],
    ["keeps a value that is no map", { m: "text" }, { m: { b: 2 } }, { m: "text" }],
    ["keeps lists as a whole", { l: [1] }, { l: [2, 3] }, { l: [1] }],
    ["takes __proto__ for data", {}, JSON.parse('{"__proto__": {"x": 1}}'), JSON.parse('{"__proto__": {"x": 1}}')],
  ])("%s", (...[_name, base, source, want]) => {
    expect(deepMerge(base, source, { override: false })).toEqual(want);
  });
});

describe("deepMerge with override", () => {
  it.each<readonly [string, JsonObject, JsonObject, JsonObject]>([
    ["fills what is missing", {}, { a: 1 }, { a: 1 }],
    ["overrides", { a: 1 }, { a: 2 }, { a: 2 }],
    [
      "never overrides with 0, false, an empty text, list or null",
      { a: 1, b: true, c: "x", d: [1], e: 1 },
      { a: 0, b: false, c: "", d: [], e: null },
      { a: 1, b: true, c: "x", d: [1], e: 1 },
    ],
    ["merges maps", { m: { a: 1, b: 1 } }, { m: { b: 2 } }, { m: { a: 1, b: 2 } }],
    ["keeps a map for an empty one", { m: { a: 1 } }, { m: {} }, { m: { a: 1 } }],
    ["replaces lists as a whole", { l: [1, 2] }, { l: [3] }, { l: [3] }],
    ["replaces a value of another type", { m: "text" }, { m: { b: 2 } }, { m: { b: 2 } }],
    ["passes over undefined", { a: 1 }, { a: undefined }, { a: 1 }],
  ])("%s", (...[_name, base, source, want]) => {
    expect(deepMerge(base, source, { override: true })).toEqual(want);
  });
});

describe("deepMerge", () => {
  const json = fc.dictionary(fc.string({ maxLength: 3 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 });
  it("changes none of its arguments, and repeating it changes nothing more", () => {
    fc.assert(
      fc.property(json, json, fc.boolean(), (base, source, override) => {
        const before = JSON.stringify([base, source]);
        const once = deepMerge(base, source, { override });
        expect(JSON.stringify([base, source])).toBe(before);
        expect(deepMerge(once, source, { override })).toEqual(once);
      }),
    );
  });

  it("keeps every key of both", () => {
    fc.assert(
      fc.property(json, json, fc.boolean(), (base, source, override) => {
        const merged = Object.keys(deepMerge(base, source, { override }));
        expect(new Set(merged)).toEqual(new Set([...Object.keys(base), ...Object.keys(source)]));
      }),
    );
  });
});

it.each([
  [undefined, true],
  [null, true],
  [false, true],
  [0, true],
  ["", true],
  [[], true],
  [{}, true],
  [true, false],
  [1, false],
  ["0", false],
  [[0], false],
  [{ a: undefined }, false],
])("isEmptyValue(%j) is %j", (value, want) => {
  expect(isEmptyValue(value)).toBe(want);
});
