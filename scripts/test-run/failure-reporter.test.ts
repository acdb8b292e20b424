import { describe, expect, it } from "@jest/globals";
// @ts-expect-error -- plain JavaScript, which jest loads as its reporter
import * as reporter from "./failure-reporter.mjs";

interface Failure {
  readonly file: string;
  readonly message: string;
}
const { addFailures, parseFailures } = reporter as {
  addFailures: (results: object, failures: readonly Failure[]) => readonly Failure[];
  parseFailures: (text: string) => readonly Failure[];
};

/** Results of one file, as a reporter of jest gets them. */
const resultsOf = (file: { numFailingTests?: number; testExecError?: object; failureMessage?: string | null }) => ({
  numFailedTests: file.numFailingTests ?? 0,
  numFailedTestSuites: (file.numFailingTests ?? 0) > 0 || file.testExecError !== undefined ? 1 : 0,
  numPassedTestSuites: (file.numFailingTests ?? 0) > 0 || file.testExecError !== undefined ? 0 : 1,
  testResults: [{ testFilePath: "/a", numFailingTests: 0, failureMessage: null, ...file }],
});

describe("addFailures", () => {
  it("fails a file whose tests passed", () => {
    const results = resultsOf({});
    expect(addFailures(results, [{ file: "/a", message: "late" }])).toEqual([]);
    expect(results).toEqual({
      numFailedTests: 1,
      numFailedTestSuites: 1,
      numPassedTestSuites: 0,
      testResults: [{ testFilePath: "/a", numFailingTests: 1, failureMessage: "late" }],
    });
  });

  it.each([
    { name: "with a failed test", file: { numFailingTests: 2, failureMessage: "x failed" } },
    { name: "that did not load", file: { testExecError: {}, failureMessage: "x failed" } },
  ])("counts a file $name once, and adds the message", ({ file }) => {
    const results = resultsOf(file);
    addFailures(results, [{ file: "/a", message: "late" }]);
    const failed = resultsOf({ ...file, failureMessage: "x failed\nlate" });
    expect(results).toEqual(failed);
  });

  it("returns the failures of files without results", () => {
    const results = resultsOf({});
    const failure = { file: "/b", message: "late" };
    expect(addFailures(results, [failure])).toEqual([failure]);
    expect(results).toEqual(resultsOf({}));
  });
});

describe("parseFailures", () => {
  it("returns equal failures once", () => {
    const [a, b] = [
      { file: "/a", message: "late" },
      { file: "/b", message: "late" },
    ];
    expect(parseFailures([a, b, a].map((each) => `${JSON.stringify(each)}\n`).join(""))).toEqual([a, b]);
    expect(parseFailures("")).toEqual([]);
  });
});
