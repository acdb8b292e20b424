import { expect, it } from "@jest/globals";
import { isNestedDeeper } from "./is-nested-deeper.ts";

const ring: unknown[] = [1];
ring.push({ ring });

it.each<[unknown, number, boolean]>([
  [1, 0, false],
  [null, 0, false],
  [[], 0, true],
  [[], 1, false],
  [[{ a: 1 }], 2, false],
  [[1, { a: [] }], 2, true],
  [ring, 100, true],
])("%j is nested more than the given levels deep (%d): %s", (value, levels, want) => {
  expect(isNestedDeeper(value, levels)).toBe(want);
});

it("does not overflow the stack for 100,000 levels", () => {
  let deep: unknown = [];
  for (let level = 0; level < 100_000; level += 1) deep = [deep];
  expect(isNestedDeeper(deep, 100)).toBe(true);
});
