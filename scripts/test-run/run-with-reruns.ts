import { relative } from "node:path";
import { addCounts, countTests, listFiles, type Counts, type FileResult } from "./jest-counts.ts";
import { decideReruns, decideStatus, findUnrepeated, type FailedFile, type FlakyFile } from "./reruns.ts";
import type { TestOutcome } from "./run-test-files.ts";

export interface RerunOptions {
  readonly root: string;
  /** Runs test files, by their paths relative to the root; undefined: all wanted ones. */
  readonly run: (files?: readonly string[]) => Promise<TestOutcome>;
  /** Called before a failed file runs again. */
  readonly onFailed: (failed: FileResult, path: string) => void;
}

/** A run whose failed files have run once more, alone. */
export interface JudgedRun {
  readonly first: TestOutcome;
  readonly files: readonly FileResult[];
  /** Exit code: 0 if each failed file passed in its second run. */
  readonly status: number;
  /** Files that failed in their first run and passed in their second run. */
  readonly flaky: readonly FlakyFile[];
  /** The other files that failed in their first run. */
  readonly failed: readonly FailedFile[];
  /** Counts the tests of the wanted files, by their paths relative to the root; for a flaky file, the second run counts. */
  readonly count: (isWanted: (path: string) => boolean) => Counts;
}

/** Returns true if no test of a second run failed and one passed: a file whose tests are all skipped has not passed. */
function hasPassed({ status, results }: TestOutcome): boolean {
  const { passed, failed } = countTests(results, () => true);
  return status === 0 && passed > 0 && failed === 0;
}

/** Runs the tests, and each failed file once more, alone. */
export async function runWithReruns({ root, run, onFailed }: RerunOptions): Promise<JudgedRun> {
  const first = await run();
  const firstRun = { files: listFiles(first.results), status: first.status };
  const passedLater = new Map<string, TestOutcome>();
  const unrepeatedTests = new Map<string, readonly string[]>();
  for (const failed of decideReruns(firstRun)) {
    const path = relative(root, failed.file);
    onFailed(failed, path);
    const outcome = await run([path]);
    if (!hasPassed(outcome)) continue;
    const second = listFiles(outcome.results).flatMap(({ tests }) => tests);
    const unrepeated = findUnrepeated(failed.tests, second);
    if (unrepeated.length === 0) passedLater.set(failed.file, outcome);
    else unrepeatedTests.set(failed.file, unrepeated);
  }
  const failedFirst = firstRun.files.filter(({ failed }) => failed.length > 0);
  const describe = ({ file, firstMessage = "" }: FileResult): FlakyFile => ({
    file: relative(root, file),
    firstMessage,
  });
  return {
    first,
    files: firstRun.files,
    status: decideStatus(firstRun, new Set(passedLater.keys())),
    flaky: failedFirst.filter(({ file }) => passedLater.has(file)).map(describe),
    failed: failedFirst
      .filter(({ file }) => !passedLater.has(file))
      .map((result) => ({ ...describe(result), unrepeated: unrepeatedTests.get(result.file) ?? [] })),
    count: (isWanted) => {
      const isWantedFile = (file: string): boolean => isWanted(relative(root, file));
      return addCounts([
        countTests(first.results, (file) => isWantedFile(file) && !passedLater.has(file)),
        ...[...passedLater.values()].map(({ results }) => countTests(results, isWantedFile)),
      ]);
    },
  };
}
