import { describe, expect, it } from "@jest/globals";
import { Duration } from "@marcbachmann/cel-js/evaluator";
import { equalCelValues } from "./equal-cel-values.ts";

describe("equalCelValues", () => {
  const cases: [string, unknown, unknown, boolean][] = [
    ["equal texts", "a", "a", true],
    ["an int and a double of one value", 1n, 1, true],
    ["an int and a double of different values", 1n, 1.5, false],
    ["an int and a text", 1n, "1", false],
    ["null and null", null, null, true],
    ["null and an empty map", null, new Map(), false],
    ["lists by order", [1n, 2n], [2n, 1n], false],
    ["nested lists", [[1n], ["a"]], [[1n], ["a"]], true],
    ["lists of different length", [1n], [1n, 2n], false],
    [
      "maps whatever the order",
      new Map([
        ["a", 1n],
        ["b", 2n],
      ]),
      new Map([
        ["b", 2n],
        ["a", 1n],
      ]),
      true,
    ],
    ["maps with different values", new Map([["a", 1n]]), new Map([["a", 2n]]), false],
    ["maps with different keys", new Map([["a", 1n]]), new Map([["b", 1n]]), false],
    ["a map and a plain object", new Map([["a", 1n]]), { a: 1n }, true],
    ["plain objects with plain numbers", { a: { b: [1] } }, { a: { b: [1] } }, true],
    ["bytes", new Uint8Array([1, 2]), new Uint8Array([1, 2]), true],
    ["different bytes", new Uint8Array([1, 2]), new Uint8Array([2]), false],
    ["times", new Date(5), new Date(5), true],
    ["durations", new Duration(1n, 5), new Duration(1n, 5), true],
    ["a time and a duration", new Date(1000), new Duration(1n), false],
    ["a time and an empty map", new Date(5), new Map(), false],
  ];
  for (const [name, left, right, want] of cases) {
    it(`compares ${name}`, () => {
      expect([equalCelValues(left, right), equalCelValues(right, left)]).toEqual([want, want]);
    });
  }
});
