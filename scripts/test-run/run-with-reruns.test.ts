import { describe, expect, it } from "@jest/globals";
import type { TestOutcome } from "./run-test-files.ts";
import { runWithReruns, type JudgedRun } from "./run-with-reruns.ts";

interface File {
  readonly name: string;
  readonly passed: readonly string[];
  readonly failed?: readonly string[];
  readonly skipped?: readonly string[];
}

/** What jest writes with --json. */
function outcomeOf(...files: readonly File[]): TestOutcome {
  const testResults = files.map(({ name, passed, failed = [], skipped = [] }) => ({
    name: `/root/${name}`,
    status: failed.length > 0 ? "failed" : "passed",
    startTime: 0,
    endTime: 1000,
    message: failed.length > 0 ? `the report of ${name}` : "",
    assertionResults: [
      ...passed.map((fullName) => ({ fullName, status: "passed", failureMessages: [] })),
      ...failed.map((fullName) => ({ fullName, status: "failed", failureMessages: ["Error: 1\n    at x"] })),
      ...skipped.map((fullName) => ({ fullName, status: "pending", failureMessages: [] })),
    ],
  }));
  const status = files.some(({ failed = [] }) => failed.length > 0) ? 1 : 0;
  return { status, results: JSON.stringify({ testResults }), summary: undefined };
}

/** Answers each run with the next outcome. Returns the judged run, the files of each run, and the reports of failed files. */
async function runAll(
  ...outcomes: readonly TestOutcome[]
): Promise<readonly [JudgedRun, readonly (readonly string[])[], string[]]> {
  const ran: (readonly string[])[] = [];
  const reports: string[] = [];
  const judged = await runWithReruns({
    root: "/root",
    run: (files = ["all"]) => {
      ran.push(files);
      return Promise.resolve(outcomes[ran.length - 1] ?? outcomeOf());
    },
    onFailed: ({ report }, path) => reports.push(`${path}: ${report}`),
  });
  return [judged, ran, reports];
}

const a: File = { name: "a.test.ts", passed: ["x", "y"] };
const failedB: File = { name: "b.test.ts", passed: ["x"], failed: ["y"] };
const passedB: File = { name: "b.test.ts", passed: ["x", "y"] };
const all = (): boolean => true;

describe("runWithReruns", () => {
  it("passes a run whose failed file passes alone, and reports the file as flaky with its first failure", async () => {
    const [judged, ran, reports] = await runAll(outcomeOf(a, failedB), outcomeOf(passedB));
    expect(ran).toEqual([["all"], ["b.test.ts"]]);
    expect(reports).toEqual(["b.test.ts: the report of b.test.ts"]);
    expect([judged.status, judged.flaky]).toEqual([0, [{ file: "b.test.ts", firstMessage: "y: Error: 1" }]]);
    expect(judged.count(all)).toEqual({ passed: 4, failed: 0, skipped: {} });
    expect(judged.count((path) => path === "a.test.ts")).toEqual({ passed: 2, failed: 0, skipped: {} });
  });

  it("fails a run if a file fails twice", async () => {
    const [judged] = await runAll(outcomeOf(a, failedB), outcomeOf(failedB));
    expect([judged.status, judged.flaky]).toEqual([1, []]);
    expect(judged.failed).toEqual([{ file: "b.test.ts", firstMessage: "y: Error: 1", unrepeated: [] }]);
    expect(judged.count(all)).toEqual({ passed: 3, failed: 1, skipped: {} });
  });

  it.each([
    { name: "skips", second: { name: "b.test.ts", passed: ["x"], skipped: ["(skipped: no etcd) y"] } },
    { name: "lacks", second: { name: "b.test.ts", passed: ["x"] } },
  ])("fails a run if the second run of a file $name the failed test", async ({ second }) => {
    const [judged] = await runAll(outcomeOf(a, failedB), outcomeOf(second));
    expect([judged.status, judged.flaky]).toEqual([1, []]);
    expect(judged.failed).toEqual([{ file: "b.test.ts", firstMessage: "y: Error: 1", unrepeated: ["y"] }]);
    expect(judged.count(all)).toEqual({ passed: 3, failed: 1, skipped: {} });
  });

  it("fails a run of which the second run of a file tests nothing", async () => {
    const skipped = outcomeOf({ name: "b.test.ts", passed: [] });
    for (const second of [skipped, { status: 0, results: undefined, summary: undefined }]) {
      const [judged] = await runAll(outcomeOf(failedB), second);
      expect(judged.status).toBe(1);
    }
  });

  it("reruns nothing if all files passed or the run did not start", async () => {
    expect((await runAll(outcomeOf(a, passedB)))[1]).toEqual([["all"]]);
    const [judged, ran] = await runAll({ status: 1, results: undefined, summary: undefined });
    expect([judged.status, ran]).toEqual([1, [["all"]]]);
  });
});
