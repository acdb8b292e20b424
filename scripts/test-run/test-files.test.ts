import { describe, expect, it } from "@jest/globals";
import { parsePatterns, selectTestFiles } from "./test-files.ts";

const files = ["libs/a/src/a.test.ts", "libs/b/src/b.test.ts", "test-e2e/suites/ha.test.ts"];

describe("selectTestFiles", () => {
  it.each([
    { words: ["libs/a"], want: ["libs/a/src/a.test.ts"] },
    { words: ["suites/(ha|tour)", "^libs/b/"], want: ["libs/b/src/b.test.ts", "test-e2e/suites/ha.test.ts"] },
    { words: ["libs\\/[ab]", "a"], want: files },
  ])("selects the files that match $words", ({ words, want }) => {
    expect(selectTestFiles(files, parsePatterns(words))).toEqual(want);
  });

  it.each(["libs/nosuch", "libs\\/nosuch", "suites/(x|y)$"])("names the pattern %s as the user typed it", (word) => {
    expect(() => selectTestFiles(files, parsePatterns(["libs/a", word]))).toThrow(
      new Error(`no test file matches ${word}`),
    );
  });
});
