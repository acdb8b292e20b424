import { describe, expect, it } from "@jest/globals";
import { countAll, countTests, describeSkipped, formatCounts, listFailed, listFiles } from "./jest-counts.ts";

interface File {
  readonly name: string;
  readonly status?: string;
  /** Names of tests by how they ended. */
  readonly tests?: Readonly<Record<string, readonly string[]>>;
}

/** As jest writes it with --json. */
const resultsOf = (...files: readonly File[]): string =>
  JSON.stringify({
    testResults: files.map(({ name, status = "passed", tests = {} }) => ({
      name,
      status,
      startTime: 1_000,
      endTime: 3_500,
      assertionResults: Object.entries(tests).flatMap(([ended, names]) =>
        names.map((fullName) => ({ fullName, status: ended })),
      ),
    })),
  });

interface Case {
  readonly name: string;
  readonly text: string | undefined;
  readonly want: { readonly passed: number; readonly failed: number; readonly skipped?: Record<string, number> };
}

const cases: readonly Case[] = [
  {
    name: "takes passed and failed tests",
    text: resultsOf(
      { name: "a", tests: { passed: ["x", "y"] } },
      { name: "b", status: "failed", tests: { passed: ["x"], failed: ["y", "z"] } },
    ),
    want: { passed: 3, failed: 2 },
  },
  {
    name: "takes the wanted files only",
    text: resultsOf(
      { name: "a", tests: { passed: ["x"] } },
      { name: "other", tests: { passed: ["x"], failed: ["y"] } },
    ),
    want: { passed: 1, failed: 0 },
  },
  {
    name: "counts a file that did not load",
    text: resultsOf({ name: "a", status: "failed" }),
    want: { passed: 0, failed: 1 },
  },
  {
    name: "counts a file that failed after its tests",
    text: resultsOf({ name: "a", status: "failed", tests: { passed: ["x"] } }),
    want: { passed: 1, failed: 1 },
  },
  {
    name: "counts a skipped test without a reason as failed",
    text: resultsOf({ name: "a", tests: { pending: ["adds", "charts (skipped: there is no registry) are pulled"] } }),
    want: { passed: 0, failed: 1, skipped: { "there is no registry": 1 } },
  },
  {
    name: "counts skipped tests by the reason in their names",
    text: resultsOf({
      name: "a",
      tests: {
        passed: ["sums (skipped: never)"],
        pending: ["a (skipped: no etcd) b", "c (skipped: no etcd)", "d (skipped: no nft)"],
      },
    }),
    want: { passed: 1, failed: 0, skipped: { "no etcd": 2, "no nft": 1 } },
  },
  { name: "finds nothing in a run that wrote nothing", text: undefined, want: { passed: 0, failed: 0 } },
  { name: "finds nothing in an empty file", text: "", want: { passed: 0, failed: 0 } },
  { name: "finds nothing in a truncated file", text: '{"testRes', want: { passed: 0, failed: 0 } },
  { name: "finds nothing in something else", text: "[]", want: { passed: 0, failed: 0 } },
];

describe("countTests", () => {
  it.each(cases)("$name", ({ text, want }) => {
    expect(countTests(text, (name) => name !== "other")).toEqual({ skipped: {}, ...want });
  });
});

describe("countAll", () => {
  const none = { passed: 0, failed: 0, skipped: {} };

  it("adds up", () => {
    const parts = [
      { passed: 3, failed: 0, skipped: { "no etcd": 1, "no nft": 2 } },
      { passed: 4, failed: 1, skipped: { "no nft": 5 } },
    ];
    expect(countAll(parts, 1)).toEqual({ passed: 7, failed: 1, skipped: { "no etcd": 1, "no nft": 7 } });
  });

  it("counts a bad end without a failed test", () => {
    expect(countAll([{ ...none, passed: 3 }], 1)).toEqual({ passed: 3, failed: 1, skipped: {} });
  });

  it("counts a run without a test", () => {
    expect(countAll([none, none], 0)).toEqual({ passed: 0, failed: 1, skipped: {} });
  });
});

describe("the summary", () => {
  it("ends with the counts", () => {
    expect(formatCounts({ passed: 7, failed: 1, skipped: { "no etcd": 1 } })).toBe("7 passed, 1 failed");
  });

  it("has a line for each reason", () => {
    const skipped = { "no etcd": 1, "no nft": 7 };
    expect(describeSkipped({ passed: 0, failed: 0, skipped })).toEqual([
      "skipped: 1 test: no etcd",
      "skipped: 7 tests: no nft",
    ]);
  });
});

describe("what has failed", () => {
  const text = resultsOf(
    { name: "a", tests: { passed: ["x"] } },
    { name: "b", status: "failed", tests: { passed: ["x"], failed: ["y", "z"] } },
    { name: "c", status: "failed" },
  );

  it("is named by file and test", () => {
    expect(listFailed(text)).toEqual(["b: y", "b: z", "c"]);
  });

  it("is listed by file with its duration", () => {
    expect(listFiles(text)).toEqual([
      { file: "a", failed: [], tests: [{ fullName: "x", status: "passed" }], seconds: 2.5, report: "" },
      {
        file: "b",
        failed: ["b: y", "b: z"],
        tests: [
          { fullName: "x", status: "passed" },
          { fullName: "y", status: "failed" },
          { fullName: "z", status: "failed" },
        ],
        seconds: 2.5,
        report: "",
        firstMessage: "y:",
      },
      { file: "c", failed: ["c"], tests: [], seconds: 2.5, report: "", firstMessage: "" },
    ]);
  });

  it("has the first failure in one line, without colours and stack", () => {
    const failure = "\u001b[31mError: expected 1\u001b[39m\n  found 2\n    at file.ts:1:2\n    at other.ts:3:4";
    const tests = [
      { fullName: "adds", status: "passed", failureMessages: [] },
      { fullName: "sums", status: "failed", failureMessages: [failure] },
    ];
    const files = [
      { name: "a", status: "failed", startTime: 0, endTime: 0, message: "the report", assertionResults: tests },
      { name: "b", status: "failed", startTime: 0, endTime: 0, message: "did not\n load", assertionResults: [] },
      { name: "c", status: "failed", startTime: 0, endTime: 0, message: "x".repeat(400), assertionResults: [] },
    ];
    const found = listFiles(JSON.stringify({ testResults: files }));
    expect(found.map(({ firstMessage }) => firstMessage)).toEqual([
      "sums: Error: expected 1 found 2",
      "did not load",
      `${"x".repeat(300)}...`,
    ]);
    expect(found[0]?.report).toBe("the report");
  });

  it("is empty for a run that wrote no results", () => {
    expect(listFiles(undefined)).toEqual([]);
  });
});
