import { expect, it } from "@jest/globals";
import { describeFault, isFault } from "./internal-error.ts";

it.each([
  [
    new TypeError("Cannot read properties of undefined (reading 'map')"),
    "TypeError: Cannot read properties of undefined (reading [...])",
  ],
  [
    new SyntaxError(`Unexpected token 's', "sec"ret" is not valid JSON`),
    "SyntaxError: Unexpected token [...] is not valid JSON",
  ],
  [new RangeError("Invalid array length"), "RangeError: Invalid array length"],
  [new Error('no "end of it'), "Error: no [...]"],
  [new Error(""), "Error"],
  [new Error("x".repeat(1000)), `Error: ${"x".repeat(300)}`],
])("%s is told as %s", (fault, told) => {
  expect([isFault(fault), describeFault(fault)]).toEqual([true, told]);
});

it("what others throw on purpose is no fault", () => {
  expect([
    isFault("text"),
    isFault(new DOMException("stop", "AbortError")),
    isFault(new Error("wrapped", { cause: "x" })),
  ]).toEqual([false, false, false]);
});
