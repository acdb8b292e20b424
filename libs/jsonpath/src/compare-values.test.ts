import { expect, it } from "@jest/globals";
import { compareValues } from "./compare-values.ts";

const [order, types] = ["invalid type for comparison", "incompatible types for comparison"];

it.each<[left: unknown, operator: string, right: unknown, answer: boolean | string]>([
  [1, "==", 1, true],
  [1, "!=", 1, false],
  [1, "==", 2, false],
  [2 ** 53, "==", 9_007_199_254_740_992n, true],
  [2 ** 53, "==", 9_007_199_254_740_993n, false],
  [true, "==", true, true],
  [1, "==", "1", types],
  [1, "<", "1", types],
  [true, "<", false, order],
  [null, "==", 1, order],
  [1, "==", [], order],
  [1, "<", 1, false],
  [1, "<=", 1, true],
  [2, "<=", 1, false],
  ["b", ">", "a", true],
  ["a", ">", "a", false],
  ["a", ">=", "a", true],
  ["a", ">=", "b", false],
  [9_007_199_254_740_993n, ">", 2 ** 53, true],
  [1, "=", 1, "unrecognized filter operator ="],
])("%p %s %p: %p", (...[left, operator, right, answer]) => {
  const expected = typeof answer === "string" ? { problem: answer } : { result: answer };
  expect(compareValues(left, operator, right)).toEqual(expected);
});
