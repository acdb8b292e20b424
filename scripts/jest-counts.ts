interface JestTest {
  readonly fullName: string;
  readonly status: string;
}

/** What we read of jest's --json output. */
interface JestResults {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  /** Files that failed to load: none of their tests ran. */
  readonly numRuntimeErrorTestSuites: number;
  readonly testResults: readonly { readonly assertionResults: readonly JestTest[] }[];
}

export interface Counts {
  readonly passed: number;
  readonly failed: number;
  /** How many tests did not run, by the reason in their names. */
  readonly skipped: Readonly<Record<string, number>>;
}

function isJestResults(value: unknown): value is JestResults {
  if (typeof value !== "object" || value === null) return false;
  const fields = ["numPassedTests", "numFailedTests", "numRuntimeErrorTestSuites"];
  return (
    fields.every((field) => typeof Reflect.get(value, field) === "number") &&
    Array.isArray(Reflect.get(value, "testResults"))
  );
}

/** The reason that stands in the name of a test, or of a `describe` around it, as in "charts (skipped: there is no docker-registry)". */
function reasonOf({ fullName }: JestTest): string | undefined {
  return /\(skipped: (.+?)\)/.exec(fullName)?.[1];
}

/**
 * Counts of one jest run. A file that did not load counts as one failed test, and so does a skipped test whose name says no reason, and a run that
 * ended badly with no failed test to show for it (`text` undefined: it wrote no results at all).
 */
export function countTests(text: string | undefined, exitCode: number): Counts {
  const results: unknown = text === undefined || text.trim() === "" ? undefined : JSON.parse(text);
  if (!isJestResults(results)) return { passed: 0, failed: 1, skipped: {} };
  let failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
  const skipped: Record<string, number> = {};
  for (const test of results.testResults.flatMap(({ assertionResults }) => assertionResults)) {
    if (test.status === "passed" || test.status === "failed") continue;
    const reason = reasonOf(test);
    if (reason === undefined) failed += 1;
    else skipped[reason] = (skipped[reason] ?? 0) + 1;
  }
  return { passed: results.numPassedTests, failed: failed === 0 && exitCode !== 0 ? 1 : failed, skipped };
}

/** The last line of `npm test`. */
export function formatCounts(all: readonly Counts[]): string {
  const total = (field: "passed" | "failed"): number => all.reduce((sum, counts) => sum + counts[field], 0);
  return `${total("passed")} passed, ${total("failed")} failed`;
}

/** A line for each reason, such as "skipped: 7 tests: there is no docker-registry". */
export function describeSkipped(all: readonly Counts[]): readonly string[] {
  const totals = new Map<string, number>();
  for (const [reason, count] of all.flatMap(({ skipped }) => Object.entries(skipped))) {
    totals.set(reason, (totals.get(reason) ?? 0) + count);
  }
  return [...totals].map(([reason, count]) => `skipped: ${count} ${count === 1 ? "test" : "tests"}: ${reason}`);
}
