import { describe, expect, it } from "@jest/globals";
import { countTests, formatCounts } from "./jest-counts.ts";

const results = (fields: Record<string, number>): string =>
  JSON.stringify({
    numPassedTests: 0,
    numFailedTests: 0,
    numRuntimeErrorTestSuites: 0,
    numPendingTests: 0,
    ...fields,
  });

interface Case {
  readonly name: string;
  readonly text: string | undefined;
  readonly exitCode: number;
  readonly want: { readonly passed: number; readonly failed: number };
}

const cases: readonly Case[] = [
  {
    name: "takes passed and failed tests",
    text: results({ numPassedTests: 7, numFailedTests: 2 }),
    exitCode: 1,
    want: { passed: 7, failed: 2 },
  },
  {
    name: "counts a file that did not load",
    text: results({ numRuntimeErrorTestSuites: 1 }),
    exitCode: 1,
    want: { passed: 0, failed: 1 },
  },
  {
    name: "counts a skipped test as failed",
    text: results({ numPassedTests: 1, numPendingTests: 1 }),
    exitCode: 0,
    want: { passed: 1, failed: 1 },
  },
  {
    name: "counts a bad end without a failed test",
    text: results({ numPassedTests: 3 }),
    exitCode: 1,
    want: { passed: 3, failed: 1 },
  },
  { name: "counts a run that wrote nothing", text: undefined, exitCode: 1, want: { passed: 0, failed: 1 } },
  { name: "counts a run that wrote an empty file", text: "", exitCode: 0, want: { passed: 0, failed: 1 } },
  { name: "counts a run that wrote something else", text: "[]", exitCode: 0, want: { passed: 0, failed: 1 } },
];

describe("countTests", () => {
  it.each(cases)("$name", ({ text, exitCode, want }) => {
    expect(countTests(text, exitCode)).toEqual(want);
  });
});

describe("formatCounts", () => {
  it("adds up all runs", () => {
    const all = [
      { passed: 3, failed: 0 },
      { passed: 4, failed: 1 },
    ];
    expect(formatCounts(all)).toBe("7 passed, 1 failed");
  });

  it("says zero for no runs", () => {
    expect(formatCounts([])).toBe("0 passed, 0 failed");
  });
});
