import { describe, expect, it } from "@jest/globals";
import * as fc from "fast-check";
import { createSpiff, SpiffError } from "../index.ts";
import { parseExpression } from "./parse-expression.ts";
import { printExpression } from "./print-expression.ts";
import { SyntaxFailure } from "./scanner.ts";

const tokens = [
  ...Array.from('abx01_~!*()[]{}|,.:?=<>+-/%$&" '),
  " + ",
  " || ",
  " ? ",
  " :",
  "->",
  "...",
  "..",
  "|x|->",
  "map[",
  "sum[",
  "catch[",
  '"t"',
  "10.0.0.1",
  "merge",
  "lambda ",
  "true",
  "join(",
  "&temporary",
];
const texts = fc.array(fc.constantFrom(...tokens), { maxLength: 25 }).map((parts) => parts.join(""));

function parseOrFail(text: string): string {
  try {
    return printExpression(parseExpression(text));
  } catch (error) {
    if (error instanceof SyntaxFailure) return "";
    throw error;
  }
}

describe("parseExpression", () => {
  it("gives an expression or a SyntaxFailure for any text", () => {
    fc.assert(
      fc.property(texts, (text) => typeof parseOrFail(text) === "string"),
      { seed: 1, numRuns: 5000 },
    );
  });

  it("ends quickly for brackets that never close", () => {
    expect(parseOrFail("(".repeat(120) + "a = ")).toBe("");
    expect(parseOrFail("map[".repeat(100))).toBe("");
    expect(parseOrFail("(a ".repeat(140))).toBe("");
  });

  it.each([
    ["1 +", "parse error near symbol 3: expected an operator with blanks on both sides, found the end"],
    ["a b)", "parse error near symbol 3: expected an operator or the end, found ')'"],
    ["[1, ]", "parse error near symbol 4: expected a value, found ']'"],
    ['"abc', "parse error near symbol 0: expected a string that ends with '\"', found '\"abc'"],
    ["", "parse error near symbol 0: expected a value, found the end"],
  ])("tells what is wrong with %j", (text, message) => {
    expect(() => parseExpression(text)).toThrow(new SyntaxFailure(message, 0));
  });
});

describe("evaluation", () => {
  it("gives a result or a SpiffError for any expression", () => {
    const spiff = createSpiff({ limits: { steps: 20_000, size: 100_000 } });
    const run = (text: string): boolean => {
      try {
        spiff.merge({ template: { name: "t", data: { a: `((${text}))`, b: [1, "x"], x: { t: 1.5 } } } });
      } catch (error) {
        return error instanceof SpiffError;
      }
      return true;
    };
    fc.assert(fc.property(texts, run), { seed: 2, numRuns: 5000 });
  });
});
