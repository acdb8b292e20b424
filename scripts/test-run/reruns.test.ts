import { describe, expect, it } from "@jest/globals";
import type { FileResult, TestResult } from "./jest-counts.ts";
import { decideReruns, decideStatus, describeFailed, describeFlaky, findUnrepeated, mostReruns } from "./reruns.ts";

const passed = (file: string): FileResult => ({ file, failed: [], tests: [], seconds: 1, report: "" });
const failed = (file: string): FileResult => ({
  ...passed(file),
  failed: [`${file}: adds`],
  firstMessage: "adds: Error: 1",
});
const manyFailed = Array.from({ length: mostReruns + 1 }, (_, index) => failed(`${index}`));

describe("decideReruns", () => {
  it.each([
    { name: "no file of a run that passed", files: [passed("a"), passed("b")], status: 0, want: [] },
    { name: "each file that failed", files: [failed("a"), passed("b"), failed("c")], status: 1, want: ["a", "c"] },
    {
      name: "as many files as are allowed",
      files: manyFailed.slice(1),
      status: 1,
      want: manyFailed.slice(1).map(({ file }) => file),
    },
    { name: "no file if more failed than are allowed", files: manyFailed, status: 1, want: [] },
    { name: "no file of a run that did not start", files: [], status: 1, want: [] },
  ])("names $name", ({ files, status, want }) => {
    expect(decideReruns({ files, status }).map(({ file }) => file)).toEqual(want);
  });
});

describe("decideStatus", () => {
  it.each([
    { name: "passes a run whose failed files passed later", files: [failed("a"), passed("b")], later: ["a"], want: 0 },
    { name: "fails a run of which one file failed twice", files: [failed("a"), failed("b")], later: ["a"], want: 1 },
    {
      name: "fails a run that exited for another reason, although its failed file passed later",
      files: [failed("a")],
      later: ["a"],
      status: 3,
      want: 3,
    },
    { name: "fails a run that exited with an error without a failed file", files: [passed("a")], later: [], want: 1 },
    { name: "fails a run that did not start", files: [], later: [], want: 1 },
  ])("$name", ({ files, later, status = 1, want }) => {
    expect(decideStatus({ files, status }, new Set(later))).toBe(want);
  });
});

describe("findUnrepeated", () => {
  const testsOf = (ends: readonly string[]): readonly TestResult[] =>
    ends.map((end) => ({
      fullName: end.slice(1),
      status: { "+": "passed", "-": "failed" }[end[0] ?? ""] ?? "pending",
    }));

  // "+x": the test x passed, "-x": it failed, " x": it was skipped.
  it.each([
    { name: "a failed test that passes", first: ["+x", "-y"], second: ["+x", "+y"], want: [] },
    { name: "a failed test that is skipped", first: ["+x", "-y"], second: ["+x", " y"], want: ["y"] },
    { name: "a failed test that is absent", first: ["+x", "-y"], second: ["+x"], want: ["y"] },
    { name: "one of two failed tests with the same name", first: ["-y", "-y"], second: ["+y", " y"], want: ["y"] },
    { name: "a test that passed, beside a failed one", first: ["+x", "-y"], second: [" x", "+y"], want: [] },
    {
      name: "tests of a file that failed after them",
      first: ["+x", "+y", " z"],
      second: ["+x", " y", " z"],
      want: ["y"],
    },
    { name: "tests of a file that did not load", first: [], second: ["+x", " y"], want: ["y"] },
  ])("decides about $name", ({ first, second, want }) => {
    expect(findUnrepeated(testsOf(first), testsOf(second))).toEqual(want);
  });
});

describe("describeFailed", () => {
  it("names file, first message, and tests that did not run again", () => {
    const file = { file: "suites/ha.test.ts", firstMessage: "stops: Error: 1" };
    const lines = describeFailed([
      { ...file, unrepeated: [] },
      { ...file, unrepeated: ["stops", "starts"] },
    ]);
    expect(lines).toEqual([
      "failed: suites/ha.test.ts: stops: Error: 1",
      'failed: suites/ha.test.ts: stops: Error: 1; the second run passed without running "stops", "starts"',
    ]);
  });
});

describe("describeFlaky", () => {
  it("names file and first message", () => {
    expect(describeFlaky([{ file: "suites/ha.test.ts", firstMessage: "stops: Error: 1" }])).toEqual([
      "flaky: suites/ha.test.ts: stops: Error: 1",
    ]);
  });
});
