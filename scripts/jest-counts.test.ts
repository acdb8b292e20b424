import { describe, expect, it } from "@jest/globals";
import { countTests, describeSkipped, formatCounts } from "./jest-counts.ts";

const results = (fields: Record<string, number>, skippedTests: readonly string[] = []): string =>
  JSON.stringify({
    numPassedTests: 0,
    numFailedTests: 0,
    numRuntimeErrorTestSuites: 0,
    testResults: [
      { assertionResults: [{ fullName: "sums (skipped: never)", status: "passed" }] },
      { assertionResults: skippedTests.map((fullName) => ({ fullName, status: "pending" })) },
    ],
    ...fields,
  });

interface Case {
  readonly name: string;
  readonly text: string | undefined;
  readonly exitCode: number;
  readonly want: { readonly passed: number; readonly failed: number; readonly skipped?: Record<string, number> };
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
    name: "counts a skipped test without a reason as failed",
    text: results({ numPassedTests: 1 }, ["adds", "charts (skipped: there is no registry) are pulled"]),
    exitCode: 0,
    want: { passed: 1, failed: 1, skipped: { "there is no registry": 1 } },
  },
  {
    name: "counts skipped tests by the reason in their names",
    text: results({ numPassedTests: 1 }, ["a (skipped: no etcd) b", "a (skipped: no etcd) c", "d (skipped: no nft)"]),
    exitCode: 0,
    want: { passed: 1, failed: 0, skipped: { "no etcd": 2, "no nft": 1 } },
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
    expect(countTests(text, exitCode)).toEqual({ skipped: {}, ...want });
  });
});

describe("formatCounts", () => {
  it("adds up all runs", () => {
    const all = [
      { passed: 3, failed: 0, skipped: {} },
      { passed: 4, failed: 1, skipped: { "no etcd": 1 } },
    ];
    expect(formatCounts(all)).toBe("7 passed, 1 failed");
  });

  it("says zero for no runs", () => {
    expect(formatCounts([])).toBe("0 passed, 0 failed");
  });
});

describe("describeSkipped", () => {
  it("adds up the reasons of all runs", () => {
    const all = [
      { passed: 3, failed: 0, skipped: { "no etcd": 1, "no nft": 2 } },
      { passed: 4, failed: 1, skipped: { "no nft": 5 } },
    ];
    expect(describeSkipped(all)).toEqual(["skipped: 1 test: no etcd", "skipped: 7 tests: no nft"]);
  });
});
