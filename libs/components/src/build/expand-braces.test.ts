import { expect, it } from "@jest/globals";
import { expandBraces } from "./expand-braces.ts";

it.each<[pattern: string, most: number, expanded: readonly string[] | undefined]>([
  ["a", 1, ["a"]],
  ["", 1, [""]],
  ["{a,b}c{d,}", 4, ["acd", "ac", "bcd", "bc"]],
  ["{a,b}{c,d}", 3, undefined],
  ["{a,{b,c}d}", 3, ["a", "bd", "cd"]],
  ["{a,{b,c}}", 2, undefined],
  ["{{a,b},c}", 2, undefined],
  ["{a}{", 1, ["{a}{"]],
  ["{a,b", 1, ["{a,b"]],
  ["a}", 1, ["a}"]],
])("%s with at most %d alternatives expands to %j", (pattern, most, expanded) => {
  expect(expandBraces(pattern, most)).toEqual(expanded);
});
