import { describe, expect, it } from "@jest/globals";
import { canonicalIntegers, equalNumbers, limitToInt64, toFloat64, toFloat64Object } from "./float64.ts";
import { parseJson } from "./parse-json.ts";
import type { Float64Value, JsonValue } from "./json-value.ts";

describe("toFloat64", () => {
  it("converts every bigint and keeps everything else", () => {
    const value: JsonValue = { a: 9_223_372_036_854_775_807n, b: [9_007_199_254_740_993n, "x", null], c: { d: 1.5 } };
    expect(toFloat64(value)).toEqual({ a: 2 ** 63, b: [2 ** 53, "x", null], c: { d: 1.5 } });
    expect(value.b).toEqual([9_007_199_254_740_993n, "x", null]);
  });

  it("converts values that are nested deeper than the stack", () => {
    let value: unknown = toFloat64(parseJson(`${"[".repeat(20_000)}9007199254740993${"]".repeat(20_000)}`));
    while (Array.isArray(value)) [value] = value;
    expect(value).toBe(2 ** 53);
  });

  it("keeps __proto__ as a key that can be changed", () => {
    const value = toFloat64(parseJson('{"__proto__":{"a":9007199254740993}}'));
    expect(JSON.stringify(value)).toBe('{"__proto__":{"a":9007199254740992}}');
    expect(Object.getOwnPropertyDescriptor(value, "__proto__")).toEqual({
      value: { a: 2 ** 53 },
      enumerable: true,
      configurable: true,
      writable: true,
    });
  });

  it("keeps objects of classes, and does not search them", () => {
    class Box {
      readonly content = 1n;
    }
    const value = { box: new Box() };
    expect(toFloat64(value)).toBe(value);
    expect(toFloat64({ ...value, other: 1n })).toEqual({ box: value.box, other: 1 });
  });

  it("returns a value without bigint itself", () => {
    const value = { a: [1, { b: "x" }] };
    expect(toFloat64Object(value)).toBe(value);
  });

  it("returns undefined for undefined, and says so in its type", () => {
    const absent: undefined = toFloat64(undefined);
    const [first] = [1n, 2n].slice(2);
    // @ts-expect-error -- a value that may be undefined
    const value: Float64Value = toFloat64(first);
    expect([absent, value]).toEqual([undefined, undefined]);
  });

  it("is the only way from an exact value to a value of float64", () => {
    const exact: JsonValue = [1n];
    // @ts-expect-error -- a bigint is no float64
    const mixed: Float64Value = exact;
    const converted: Float64Value = toFloat64(exact);
    expect(mixed).not.toEqual(converted);
  });
});

describe("canonicalIntegers", () => {
  it("converts exact integers to numbers and others to the nearest float64", () => {
    expect(canonicalIntegers({ a: 1n, b: [2n ** 53n, 2n ** 64n, 1.5, "x", null] })).toEqual({
      a: 1,
      b: [2n ** 53n, 2 ** 64, 1.5, "x", null],
    });
  });

  it("keeps integers of 64 bits, with and without a sign", () => {
    const limits = [-(2n ** 63n), 2n ** 64n - 1n];
    expect(canonicalIntegers(limits)).toEqual(limits);
    expect(canonicalIntegers([-(2n ** 63n) - 1n, 2n ** 64n])).toEqual([-(2 ** 63), 2 ** 64]);
  });

  it.each([new Date(0), new Set([1n]), new Uint8Array(1)])("fails for an object of a class: %p", (value) => {
    expect(() => canonicalIntegers([{ value }])).toThrow(`found an object of ${value.constructor.name}`);
  });
});

describe("limitToInt64", () => {
  it("converts integers beyond int64 only", () => {
    expect(limitToInt64([2n ** 63n - 1n, 2n ** 63n, "x"])).toEqual([2n ** 63n - 1n, 2 ** 63, "x"]);
  });

  it("returns a value without bigint itself", () => {
    const value = { a: [1, { b: "x" }] };
    expect(limitToInt64(value)).toBe(value);
  });
});

describe("equalNumbers", () => {
  it.each<[left: number | bigint, right: number | bigint]>([
    [1, 1],
    [0, -0],
    [9_007_199_254_740_993n, 9_007_199_254_740_993n],
    [18_446_744_073_709_551_615n, 18_446_744_073_709_552_000n],
    [18_446_744_073_709_551_615n, 2 ** 64],
    [1e16, 10_000_000_000_000_000n],
    [2 ** 63, 9_223_372_036_854_775_808n],
    [1e20, 1e20],
  ])("holds for %s and %s", (left, right) => {
    expect(equalNumbers(left, right)).toBe(true);
    expect(equalNumbers(right, left)).toBe(true);
  });

  it.each<[left: number | bigint, right: number | bigint]>([
    [1, 2],
    [9_007_199_254_740_992, 9_007_199_254_740_993n],
    [9_007_199_254_740_993n, 9_007_199_254_740_994n],
    [9_223_372_036_854_775_807n, 9_223_372_036_854_775_808n],
    [9_223_372_036_854_775_807n, 2 ** 63],
    [18_446_744_073_709_551_615n, 18_446_744_073_709_549_568n],
    [1e21, 1e20],
    [0.5, 1],
  ])("does not hold for %s and %s", (left, right) => {
    expect(equalNumbers(left, right)).toBe(false);
    expect(equalNumbers(right, left)).toBe(false);
  });
});
