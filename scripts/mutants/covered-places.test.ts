import { expect, it } from "@jest/globals";
import { hasRun } from "./covered-places.ts";

const ranges = [
  { startOffset: 0, endOffset: 100, count: 1 },
  { startOffset: 10, endOffset: 50, count: 0 },
  { startOffset: 20, endOffset: 30, count: 2 },
];

it.each([
  ["before an inner range", 9, true],
  ["at the start of a range that did not run", 10, false],
  ["in a range that ran, inside one that did not", 20, true],
  ["behind it", 30, false],
  ["behind the range that did not run", 50, true],
  ["outside all ranges", 100, true],
])("finds the innermost range of an offset %s", (_title, offset, expected) => {
  expect(hasRun(ranges, offset)).toBe(expected);
  expect(hasRun(ranges.toReversed(), offset)).toBe(expected);
});

it("returns false for a module that no test has loaded", () => {
  expect(hasRun(undefined, 0)).toBe(false);
});
