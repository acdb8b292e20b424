import { describe, expect, it } from "@jest/globals";
import { atLeast, between, moreThan, numberOrPercent, port, textOf, type FieldRule } from "./field-rules.ts";

const large = 9_007_199_254_740_993n;

describe("rules of numbers", () => {
  it.each<[name: string, rule: FieldRule, value: number | bigint]>([
    ["atLeast", atLeast(0), -large],
    ["atLeast", atLeast(0), -1],
    ["moreThan", moreThan(0), -large],
    ["moreThan", moreThan(0), 0],
    ["between, above", between(1, 10), large],
    ["between, below", between(1, 10), -large],
    ["port", port, large],
    ["numberOrPercent", numberOrPercent(100), -large],
  ])("%s refuses a value outside of its bounds", (_name, rule, value) => {
    const [error, ...others] = rule(value, "spec.x", {});
    expect(others).toEqual([]);
    expect(error?.message).toContain(`Invalid value: ${value}: `);
  });

  it.each<[name: string, rule: FieldRule, value: number | bigint]>([
    ["atLeast", atLeast(0), large],
    ["moreThan", moreThan(0), large],
    ["between", between(1, 10), 10],
    ["numberOrPercent", numberOrPercent(), large],
  ])("%s accepts a value within its bounds", (_name, rule, value) => {
    expect(rule(value, "spec.x", {})).toEqual([]);
  });
});

describe("textOf", () => {
  it.each<[value: unknown, text: string]>([
    ["x", "x"],
    [1, "1"],
    [large, "9007199254740993"],
    [true, "true"],
    [undefined, ""],
    [{}, ""],
  ])("returns the text of scalar %p", (value, text) => {
    expect(textOf(value)).toBe(text);
  });
});
