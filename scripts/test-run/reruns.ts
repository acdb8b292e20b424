import type { FileResult, TestResult } from "./jest-counts.ts";

/** If more files fail, the run itself is broken: files that run again would only cost time. */
export const mostReruns = 10;

/** A file that failed beside others and passed when it ran again, alone. */
export interface FlakyFile {
  /** Path relative to the root. */
  readonly file: string;
  readonly firstMessage: string;
}

/** A file whose second run has not made up for its failure, or that did not run again. */
export interface FailedFile extends FlakyFile {
  /** The second run passed; these tests of the first run did not pass in it, because they were skipped or absent. */
  readonly unrepeated: readonly string[];
}

export interface FirstRun {
  readonly files: readonly FileResult[];
  /** Exit code of jest. */
  readonly status: number;
}

/** Returns the files that run once more, alone; none if the run failed as a whole or too many files failed. Pure. */
export function decideReruns({ files }: FirstRun): readonly FileResult[] {
  const failed = files.filter((each) => each.failed.length > 0);
  return failed.length > mostReruns ? [] : failed;
}

const countNamed = (tests: readonly TestResult[], name: string): number =>
  tests.filter(({ fullName }) => fullName === name).length;

/**
 * Returns the names of the tests that must pass in the second run of a failed file and did not. They are the failed tests of the first run. If no test failed,
 * they are the tests that passed, because the file may have failed by what each of them left behind. If the first run lists no test, the
 * file did not load: then they are all tests of the second run. Pure.
 */
export function findUnrepeated(first: readonly TestResult[], second: readonly TestResult[]): readonly string[] {
  const failed = first.filter(({ status }) => status === "failed");
  const ran = failed.length > 0 ? failed : first.filter(({ status }) => status === "passed");
  const wanted = first.length > 0 ? ran : second;
  const passed = second.filter(({ status }) => status === "passed");
  const names = [...new Set(wanted.map(({ fullName }) => fullName))];
  return names.filter((name) => countNamed(passed, name) < countNamed(wanted, name));
}

/** Exit code of jest for failed files. Any other code says that something else is wrong with the run, such as a missing API server that CI demands. */
const filesFailed = 1;

/**
 * Returns the exit code of the whole run: 0 if jest reported failed files alone and each has passed in its second run, the first run's code otherwise. Pure.
 * `passedLater` names the files, as `FileResult` does, that passed in their second run.
 */
export function decideStatus({ files, status }: FirstRun, passedLater: ReadonlySet<string>): number {
  const failed = files.filter((each) => each.failed.length > 0);
  const isOnlyFlaky = status === filesFailed && failed.length > 0 && failed.every(({ file }) => passedLater.has(file));
  return isOnlyFlaky ? 0 : status;
}

/** Returns a line for each flaky file, such as "flaky: suites/ha.test.ts: stops: Error: ...". Pure. */
export function describeFlaky(files: readonly FlakyFile[]): readonly string[] {
  return files.map(({ file, firstMessage }) => `flaky: ${file}: ${firstMessage}`);
}

const describeUnrepeated = (unrepeated: readonly string[]): string =>
  unrepeated.length === 0
    ? ""
    : `; the second run passed without running ${unrepeated.map((name) => `"${name}"`).join(", ")}`;

/** Returns a line for each failed file, such as `failed: suites/ha.test.ts: stops: Error: ...; the second run passed without running "stops"`. Pure. */
export function describeFailed(files: readonly FailedFile[]): readonly string[] {
  return files.map(
    ({ file, firstMessage, unrepeated }) => `failed: ${file}: ${firstMessage}${describeUnrepeated(unrepeated)}`,
  );
}
