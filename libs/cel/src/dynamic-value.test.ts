import { describe, expect, it } from "@jest/globals";
import { toDynamicValue } from "./dynamic-value.ts";

describe("toDynamicValue", () => {
  it("turns whole numbers into int, objects into maps, and undefined fields into absent ones", () => {
    expect(toDynamicValue({ a: 1, b: 1.5, c: [2, "x", null, true], d: { e: undefined, f: 2 ** 60 } })).toEqual(
      new Map<string, unknown>([
        ["a", 1n],
        ["b", 1.5],
        ["c", [2n, "x", null, true]],
        ["d", new Map<string, unknown>([["f", 2 ** 60]])],
      ]),
    );
  });

  it("turns integers of 64 bits into int, and larger ones into double, as the API server reads them", () => {
    const live = [9_223_372_036_854_775_807n, 9_223_372_036_854_775_808n];
    expect(toDynamicValue(live)).toEqual([9_223_372_036_854_775_807n, 2 ** 63]);
  });

  it("turns an absent object into null", () => {
    expect(toDynamicValue(undefined)).toBeNull();
  });
});
