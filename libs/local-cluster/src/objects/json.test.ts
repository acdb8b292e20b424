import { describe, expect, it } from "@jest/globals";
import { equalJson, fieldAt, listAt, numberAt, recordAt, stringAt } from "./json.ts";

describe("equalJson", () => {
  const equal: readonly (readonly [unknown, unknown])[] = [
    [1, 1],
    ["a", "a"],
    [null, null],
    [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
    ],
    [
      [1, { a: [] }],
      [1, { a: [] }],
    ],
    [{ a: undefined }, {}],
  ];
  for (const [a, b] of equal) {
    it(`finds ${JSON.stringify(a)} and ${JSON.stringify(b)} equal`, () => {
      expect(equalJson(a, b)).toBe(true);
    });
  }

  const different: readonly (readonly [unknown, unknown])[] = [
    [1, "1"],
    [null, {}],
    [[], {}],
    [
      [1, 2],
      [2, 1],
    ],
    [[1], [1, 2]],
    [{ a: 1 }, { a: 2 }],
    [{ a: 1 }, { b: 1 }],
    [{ toString: 1 }, { a: 1 }],
  ];
  for (const [a, b] of different) {
    it(`finds ${JSON.stringify(a)} and ${JSON.stringify(b)} different`, () => {
      expect(equalJson(a, b)).toBe(false);
    });
  }
});

describe("field access", () => {
  const value = { a: { b: [1], c: "x", d: 5 } };

  it("answers what is there", () => {
    expect([
      fieldAt(value, "a", "c"),
      listAt(value, "a", "b"),
      stringAt(value, "a", "c"),
      numberAt(value, "a", "d"),
    ]).toEqual(["x", [1], "x", 5]);
    expect(recordAt(value, "a")).toBe(value.a);
  });

  it("answers integers beyond float64 as the nearest number", () => {
    expect(numberAt({ a: 9_007_199_254_740_993n }, "a")).toBe(2 ** 53);
  });

  it("answers the empty value for what is not there or of another type", () => {
    expect([
      fieldAt(value, "a", "b", "c"),
      listAt(value, "a", "c"),
      stringAt(value, "a"),
      numberAt(value, "x"),
    ]).toEqual([undefined, [], "", undefined]);
    expect(recordAt(value, "a", "b")).toEqual({});
  });
});
