import { expect, it } from "@jest/globals";
import { listBriefly } from "./list-briefly.ts";

it.each([
  [["a"], "a"],
  [["a", "b", "c"], "a, b, c"],
  [["a", "b", "c", "d"], "a, b, c and 1 more"],
  [["a", "b", "c", "d", "e"], "a, b, c and 2 more"],
])("%j is listed as %s", (items, want) => {
  expect(listBriefly(items)).toBe(want);
});
