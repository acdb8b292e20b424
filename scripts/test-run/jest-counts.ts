import { stripVTControlCharacters } from "node:util";

/** A test of a jest run. */
export interface TestResult {
  /** Name with those of the `describe` around it. */
  readonly fullName: string;
  /** "passed", "failed" or, for a skipped test, "pending". */
  readonly status: string;
}

interface JestTest extends TestResult {
  /** One text for each failure of the test, with its stack. */
  readonly failureMessages?: readonly string[];
}

interface JestFile {
  /** Path. */
  readonly name: string;
  readonly status: string;
  readonly assertionResults: readonly JestTest[];
  /** In ms since the epoch. */
  readonly startTime: number;
  readonly endTime: number;
  /** The report of all failures of the file, as jest prints it; empty for a file that passed. */
  readonly message?: string;
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

/** The files of a jest run, from the text that jest writes with --json; none for a missing, truncated or foreign text. */
function parseResults(text: string | undefined): readonly JestFile[] {
  if (text === undefined) return [];
  try {
    const results: unknown = JSON.parse(text);
    return isJestResults(results) ? results.testResults : [];
  } catch {
    // Of a run that was killed while it wrote.
    return [];
  }
}

/** The reason that stands in the name of a test, or of a `describe` around it, as in "charts (skipped: there is no docker-registry)". */
function reasonOf({ fullName }: TestResult): string | undefined {
  return /\(skipped: (.+?)\)/.exec(fullName)?.[1];
}

/** Returns true for a test that did not run and whose name says no reason: it counts as failed. */
export function isSkippedWithoutReason(test: TestResult): boolean {
  return !["passed", "failed"].includes(test.status) && reasonOf(test) === undefined;
}

/**
 * Counts of the files of one jest run whose paths are wanted. A skipped test whose name says no reason counts as failed, and so does a file
 * that failed without a failed test, such as one that did not load.
 */
export function countTests(text: string | undefined, isWanted: (path: string) => boolean): Counts {
  const files = parseResults(text).filter(({ name }) => isWanted(name));
  let passed = 0;
  let failed = 0;
  const skipped: Record<string, number> = {};
  for (const { status, assertionResults } of files) {
    const before = failed;
    for (const test of assertionResults) {
      const reason = reasonOf(test) ?? "";
      if (test.status === "passed") passed += 1;
      else if (test.status === "failed" || isSkippedWithoutReason(test)) failed += 1;
      else skipped[reason] = (skipped[reason] ?? 0) + 1;
    }
    if (status === "failed" && failed === before) failed += 1;
  }
  return { passed, failed, skipped };
}

/** Adds up counts. */
export function addCounts(parts: readonly Counts[]): Counts {
  const total = (field: "passed" | "failed"): number => parts.reduce((sum, counts) => sum + counts[field], 0);
  const skipped: Record<string, number> = {};
  for (const [reason, count] of parts.flatMap((part) => Object.entries(part.skipped))) {
    skipped[reason] = (skipped[reason] ?? 0) + count;
  }
  return { passed: total("passed"), failed: total("failed"), skipped };
}

/** Adds up counts; a run that ended badly without a failed test, or that ran no test, counts as one failed test. */
export function countAll(parts: readonly Counts[], exitCode: number): Counts {
  const counts = addCounts(parts);
  const isBad = exitCode !== 0 || counts.passed === 0;
  return counts.failed === 0 && isBad ? { ...counts, failed: 1 } : counts;
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

/** Result of one test file in a jest run. */
export interface FileResult {
  /** Absolute path. */
  readonly file: string;
  /** "FILE: TEST" for each test that failed; "FILE" alone for a file that failed without a failed test. */
  readonly failed: readonly string[];
  readonly tests: readonly TestResult[];
  readonly seconds: number;
  /** The first failure in one line, "TEST: MESSAGE"; undefined for a file that passed. */
  readonly firstMessage?: string;
  /** The report of all failures, as jest prints it; empty for a file that passed. */
  readonly report: string;
}

/** Returns the results of the files of one jest run, in the order in which the files ended; none for a run that wrote no results. */
export function listFiles(text: string | undefined): readonly FileResult[] {
  const results = parseResults(text);
  return results.map(({ name: file, status, assertionResults, startTime, endTime, message = "" }) => {
    const failedTests = assertionResults.filter((test) => test.status === "failed");
    const isBroken = failedTests.length === 0 && status === "failed";
    const failed = isBroken ? [file] : failedTests.map(({ fullName }) => `${file}: ${fullName}`);
    const [first] = failedTests;
    const words = first === undefined ? message : `${first.fullName}: ${first.failureMessages?.[0] ?? message}`;
    const firstMessage = failed.length === 0 ? {} : { firstMessage: firstLines(words) };
    const tests = assertionResults.map((test) => ({ fullName: test.fullName, status: test.status }));
    return { file, failed, tests, seconds: (endTime - startTime) / 1000, report: message, ...firstMessage };
  });
}

const longestMessage = 300;

/** The text up to the stack in one line, without the colours of a terminal, cut at `longestMessage` characters. */
function firstLines(text: string): string {
  const plain = stripVTControlCharacters(text);
  const [beforeStack = ""] = plain.split(/\n\s+at /);
  const line = beforeStack.replaceAll(/\s+/g, " ").trim();
  return line.length > longestMessage ? `${line.slice(0, longestMessage)}...` : line;
}

/** Returns the names of what failed, as `FileResult` has them. */
export function listFailed(text: string): readonly string[] {
  return listFiles(text).flatMap(({ failed }) => failed);
}
