// A test that gives up early fails on a busy machine only: it is flaky.

/** Milliseconds, as jest.config.mjs sets the timeout of a test. */
const testTimeoutMs = 150_000;

const ofTests = /^ *\},?\s(?:\s*)([\d_]+)\s*,?\s*\);$/gm;
const ofWaits = /\bwaitFor\((?:(?!\);\n|\bwaitFor\()[^])*?\btimeoutMs: ([\d_]+)/g;
/** Waits below this (ms) are waits for a failure, which are expected to end. */
const shortestPatienceMs = 5_000;

/** Returns a problem for each test that ends before the timeout of all tests, and each wait with a patience of its own that is shorter. Pure. */
export function checkTimeouts(path: string, text: string): readonly string[] {
  const milliseconds = (match: RegExpMatchArray): number => Number((match[1] ?? "").replaceAll("_", ""));
  const tests = path.endsWith(".test.ts") ? [...text.matchAll(ofTests)].map(milliseconds) : [];
  const waits = [...text.matchAll(ofWaits)].map(milliseconds).filter((ms) => ms >= shortestPatienceMs && ms < 60_000);
  return [
    ...tests
      .filter((ms) => ms < testTimeoutMs)
      .map((ms) => `${path}: a test with a timeout of ${ms} ms: expected none, or one above ${testTimeoutMs} ms`),
    ...waits.map(
      (ms) => `${path}: a wait of at most ${ms} ms: expected the patience of waitFor, which suits busy machines`,
    ),
  ];
}
