import { expect, it } from "@jest/globals";
import { covers } from "./subject-cover.ts";

it.each([
  ["a.b", "a.b", true],
  ["a.b", "a.c", false],
  ["a.b", "a.b.c", false],
  ["a.b.c", "a.b", false],
  ["a.*", "a.b", true],
  ["a.*", "a.b.c", false],
  ["a.*.c", "a.*.c", true],
  ["a.b.c", "a.*.c", false],
  ["a.>", "a.b.c", true],
  ["a.>", "a.>", true],
  ["a.>", "a", false],
  ["a.*", "a.>", false],
  [">", "a.*.>", true],
])("the filter %s covers %s: %s", (filter, other, want) => {
  expect(covers(filter, other)).toBe(want);
});
