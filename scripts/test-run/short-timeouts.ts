// A test with a short timeout, or with a limit for the time that something takes, is flaky: it fails on a busy machine.
import { patienceMs } from "@landscaper/testkit";
import { testTimeoutMs } from "./test-timeout.ts";

const ofTests = /^ *\},?\s(?:\s*)([\d_]+)\s*,?\s*\);$/gm;
/** A call, up to the line that closes it: the next one of the same indentation. */
const calls = /^( *)(?:.*\W)?waitFor\((?:.*\n(?:\1 .*\n|\n)*\1[)}\]].*|.*)$/gm;
/** Suites of whole services measure them; unit tests own their clock, or expect what comes of a missing limit. */
const measuring = /^test-e2e\//;
const spans = /expect\(\s*(?:performance|Date)\.now\(\) - [^;]*?\)\s*\.toBeLessThan(?:OrEqual)?\(([\d_]+)\)/g;
const ofWaits = /\btimeoutMs: ([\d_]+)/g;
/** Waits below this (ms) are deliberate: their tests expect the timeout. */
const shortestPatienceMs = 5_000;

/**
 * Returns a problem for each test timeout below the timeout of all tests, for each wait with a timeout below the default, and for each limit of a time that a unit test
 * measures. Pure.
 */
export function checkTimeouts(path: string, text: string): readonly string[] {
  const milliseconds = (match: RegExpMatchArray): number => Number((match[1] ?? "").replaceAll("_", ""));
  const tests = path.endsWith(".test.ts") ? [...text.matchAll(ofTests)].map(milliseconds) : [];
  const waits = [...text.matchAll(calls)]
    .flatMap(([call]) => [...call.matchAll(ofWaits)].map(milliseconds))
    .filter((ms) => ms >= shortestPatienceMs && ms < patienceMs);
  const measured = measuring.test(path) ? [] : [...text.matchAll(spans)].map(milliseconds);
  return [
    ...measured.map(
      (ms) => `${path}: a measured time of less than ${ms} ms: expected a condition that holds on busy machines, too`,
    ),
    ...tests
      .filter((ms) => ms < testTimeoutMs)
      .map((ms) => `${path}: a test with a timeout of ${ms} ms: expected none, or one of at least ${testTimeoutMs} ms`),
    ...waits.map(
      (ms) => `${path}: a wait with a timeout of ${ms} ms: expected the default of waitFor, which suits busy machines`,
    ),
  ];
}
