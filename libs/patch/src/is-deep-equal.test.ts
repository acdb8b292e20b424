import { describe, expect, it } from "@jest/globals";
import { isDeepEqual } from "./is-deep-equal.ts";

describe("isDeepEqual", () => {
  const cases: [string, unknown, unknown, boolean][] = [
    ["equal scalars", 1, 1, true],
    ["a number and a string", 1, "1", false],
    ["null and an absent value", null, undefined, false],
    ["objects whatever the order of fields", { a: 1, b: { c: [1] } }, { b: { c: [1] }, a: 1 }, true],
    ["an undefined field and an absent one", { a: 1, b: undefined }, { a: 1 }, true],
    ["an absent field and an undefined one", { a: 1 }, { a: 1, b: undefined }, true],
    ["a null field and an absent one", { a: null }, {}, false],
    ["objects with different fields of the same number", { a: 1 }, { b: 1 }, false],
    ["lists of different order", [1, 2], [2, 1], false],
    ["lists of different length", [1], [1, 2], false],
    ["a list and an object", [], {}, false],
    ["an object and null", {}, null, false],
    ["a field that only the prototype has", {}, { constructor: Object }, false],
    ["an own __proto__ field", JSON.parse('{"__proto__":{"a":1}}'), {}, false],
  ];
  for (const [name, left, right, want] of cases) {
    it(`compares ${name}`, () => {
      expect(isDeepEqual(left, right)).toBe(want);
    });
  }

  it("compares texts as it is told, at any depth", () => {
    const isSame = (left: string, right: string): boolean => left.toLowerCase() === right.toLowerCase();
    expect(isDeepEqual({ a: ["X"] }, { a: ["x"] }, isSame)).toBe(true);
    expect(isDeepEqual({ a: ["X"] }, { a: ["y"] }, isSame)).toBe(false);
    expect(isDeepEqual({ a: ["X"] }, { a: ["x"] })).toBe(false);
  });
});
