import { expect, it } from "@jest/globals";
import { listFrames } from "./stack-frames.ts";

it("returns the places of a stack, without the lines of the message", () => {
  const error = new TypeError("first line\nat second line");
  error.stack = "TypeError: first line\nat second line\n    at run (file.ts:1:2)\n    at file.ts:3:4";
  expect(listFrames(error)).toEqual(["    at run (file.ts:1:2)", "    at file.ts:3:4"]);
});

it.each([
  ["an error without a stack", Object.assign(new Error("a"), { stack: undefined })],
  ["a text", "a\n at b"],
])("returns no places for %s", (_, error) => {
  expect(listFrames(error)).toEqual([]);
});
