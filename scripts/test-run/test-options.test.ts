import { describe, expect, it } from "@jest/globals";
import { parseTestOptions, testUsage } from "./test-options.ts";

describe("parseTestOptions", () => {
  const none = { patterns: [], changed: false, allTools: false, profile: false };

  it.each([
    { name: "runs everything without words", words: [], want: none },
    {
      name: "takes patterns and flags in any order",
      words: ["libs/api", "--profile", "suites/(ha|tour)"],
      want: {
        ...none,
        patterns: [
          { word: "libs/api", expression: /libs\/api/ },
          { word: "suites/(ha|tour)", expression: /suites\/(ha|tour)/ },
        ],
        profile: true,
      },
    },
    { name: "takes --changed", words: ["--changed"], want: { ...none, changed: true } },
    { name: "takes --all-tools", words: ["--all-tools"], want: { ...none, allTools: true } },
  ])("$name", ({ words, want }) => {
    expect(parseTestOptions(words)).toEqual(want);
  });

  it.each([
    { words: ["--change"], message: "Unknown option '--change'" },
    { words: ["--changed", "libs"], message: '--changed: expected no pattern beside it, found "libs"' },
    { words: ["suites/("], message: '"suites/(": expected a regular expression: Invalid regular expression' },
  ])("refuses $words", ({ words, message }) => {
    expect(() => parseTestOptions(words)).toThrow(message);
  });
});

describe("testUsage", () => {
  it("explains every exit status", () => {
    expect(testUsage).toMatch(
      /\nExit status: 0 passed, 1 failed, 2 invalid command line, 3 --changed found only tests that it does not run$/,
    );
  });
});
