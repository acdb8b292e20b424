/** What we read of jest's --json output. */
interface JestResults {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  /** Files that failed to load: none of their tests ran. */
  readonly numRuntimeErrorTestSuites: number;
  readonly numPendingTests: number;
  readonly success: boolean;
}

export interface Counts {
  readonly passed: number;
  readonly failed: number;
}

function isJestResults(value: unknown): value is JestResults {
  if (typeof value !== "object" || value === null) return false;
  const fields = ["numPassedTests", "numFailedTests", "numRuntimeErrorTestSuites", "numPendingTests"];
  return fields.every((field) => typeof Reflect.get(value, field) === "number");
}

/**
 * Counts of one jest run. A file that did not load counts as one failed test, and so does a skipped test and a run that
 * ended badly with no failed test to show for it (`text` undefined: it wrote no results at all).
 */
export function countTests(text: string | undefined, exitCode: number): Counts {
  const results: unknown = text === undefined || text.trim() === "" ? undefined : JSON.parse(text);
  if (!isJestResults(results)) return { passed: 0, failed: 1 };
  const failed = results.numFailedTests + results.numRuntimeErrorTestSuites + results.numPendingTests;
  return { passed: results.numPassedTests, failed: failed === 0 && exitCode !== 0 ? 1 : failed };
}

/** The last line of `npm test`. */
export function formatCounts(all: readonly Counts[]): string {
  const total = (field: keyof Counts): number => all.reduce((sum, counts) => sum + counts[field], 0);
  return `${total("passed")} passed, ${total("failed")} failed`;
}
