import { expect, it } from "@jest/globals";
import { unusedMark } from "./unused-mark.ts";

it("returns a mark of bounded length that no text contains", () => {
  const mark = unusedMark(["\u007f".repeat(100_000), "a"]);
  expect(mark).toMatch(/^\u007f[a-z0-9]{1,20}-$/);
});

it("returns another mark if a text contains the first", () => {
  // They are "i" and "9" in base 36.
  const numbers = [0.5, 0.25];
  expect(unusedMark(["x", "a\u007fi-b"], () => numbers.shift() ?? 0)).toBe("\u007f9-");
});
