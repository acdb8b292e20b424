interface JestTest {
  readonly fullName: string;
  readonly status: string;
}

interface JestFile {
  /** Path. */
  readonly name: string;
  readonly status: string;
  readonly assertionResults: readonly JestTest[];
  /** In ms since the epoch. */
  readonly startTime: number;
  readonly endTime: number;
}

/** What we read of jest's --json output. */
interface JestResults {
  readonly testResults: readonly JestFile[];
}

export interface Counts {
  readonly passed: number;
  readonly failed: number;
  /** How many tests did not run, by the reason in their names. */
  readonly skipped: Readonly<Record<string, number>>;
}

function isJestResults(value: unknown): value is JestResults {
  return typeof value === "object" && value !== null && Array.isArray(Reflect.get(value, "testResults"));
}

/** The reason that stands in the name of a test, or of a `describe` around it, as in "charts (skipped: there is no docker-registry)". */
function reasonOf({ fullName }: JestTest): string | undefined {
  return /\(skipped: (.+?)\)/.exec(fullName)?.[1];
}

/**
 * Counts of the files of one jest run whose paths are wanted. A skipped test whose name says no reason counts as failed, and so does a file
 * that failed without a failed test, such as one that did not load.
 */
export function countTests(text: string | undefined, isWanted: (path: string) => boolean): Counts {
  const results: unknown = text === undefined || text.trim() === "" ? undefined : JSON.parse(text);
  const files = isJestResults(results) ? results.testResults.filter(({ name }) => isWanted(name)) : [];
  let passed = 0;
  let failed = 0;
  const skipped: Record<string, number> = {};
  for (const { status, assertionResults } of files) {
    const before = failed;
    for (const test of assertionResults) {
      const reason = reasonOf(test);
      if (test.status === "passed") passed += 1;
      else if (test.status === "failed" || reason === undefined) failed += 1;
      else skipped[reason] = (skipped[reason] ?? 0) + 1;
    }
    if (status === "failed" && failed === before) failed += 1;
  }
  return { passed, failed, skipped };
}

/** The sum; a run that ended badly with no failed test to show for it, or ran nothing at all, counts as one failed test. */
export function countAll(parts: readonly Counts[], exitCode: number): Counts {
  const total = (field: "passed" | "failed"): number => parts.reduce((sum, counts) => sum + counts[field], 0);
  const [passed, failed] = [total("passed"), total("failed")];
  const skipped: Record<string, number> = {};
  for (const [reason, count] of parts.flatMap((part) => Object.entries(part.skipped))) {
    skipped[reason] = (skipped[reason] ?? 0) + count;
  }
  const isBad = exitCode !== 0 || passed === 0;
  return { passed, failed: failed === 0 && isBad ? 1 : failed, skipped };
}

/** The last line of `npm test`. */
export function formatCounts({ passed, failed }: Counts): string {
  return `${passed} passed, ${failed} failed`;
}

/** A line for each reason, such as "skipped: 7 tests: there is no docker-registry". */
export function describeSkipped({ skipped }: Counts): readonly string[] {
  return Object.entries(skipped).map(
    ([reason, count]) => `skipped: ${count} ${count === 1 ? "test" : "tests"}: ${reason}`,
  );
}

/** What became of one file of a jest run. */
export interface FileResult {
  /** As jest names it: an absolute path. */
  readonly file: string;
  /** "FILE: TEST" for each test that failed; "FILE" alone for one that failed without a failed test. */
  readonly failed: readonly string[];
  readonly seconds: number;
}

/** The files that have been run, in the order of their ends. */
export function listFiles(text: string): readonly FileResult[] {
  const results: unknown = JSON.parse(text);
  if (!isJestResults(results)) return [];
  return results.testResults.map(({ name: file, status, assertionResults, startTime, endTime }) => {
    const tests = assertionResults.filter((test) => test.status === "failed");
    const isBroken = tests.length === 0 && status === "failed";
    const failed = isBroken ? [file] : tests.map(({ fullName }) => `${file}: ${fullName}`);
    return { file, failed, seconds: (endTime - startTime) / 1000 };
  });
}

/** Names of what failed, as `FileResult` has them. */
export function listFailed(text: string): readonly string[] {
  return listFiles(text).flatMap(({ failed }) => failed);
}
