import type { FileResult } from "./jest-counts.ts";

/** If more files fail, the run itself is broken: files that run again would only cost time. */
export const mostReruns = 10;

/** A file that failed beside others and passed when it ran again, alone. */
export interface FlakyFile {
  /** Path relative to the root. */
  readonly file: string;
  readonly firstMessage: string;
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
