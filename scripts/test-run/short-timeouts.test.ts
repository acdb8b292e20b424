import { describe, expect, it } from "@jest/globals";
import { checkTimeouts } from "./short-timeouts.ts";

const test = (ms: number): string =>
  `a.test.ts: a test with a timeout of ${ms} ms: expected none, or one of at least 150000 ms`;
const wait = (ms: number): string =>
  `a.test.ts: a wait with a timeout of ${ms} ms: expected the default of waitFor, which suits busy machines`;

const span = (ms: number): string =>
  `a.test.ts: a measured time of less than ${ms} ms: expected a condition that holds on busy machines, too`;

describe("checkTimeouts", () => {
  it.each<readonly [text: string, problems: readonly string[]]>([
    ["  });\n", []],
    ["  }, 30_000);\n", [test(30_000)]],
    ["    },\n    60_000,\n  );\n", [test(60_000)]],
    ["  }, 300_000);\n", []],
    ["await waitFor(isOver);", []],
    ["await waitFor(isOver, { timeoutMs: 20_000 });", [wait(20_000)]],
    ["await waitFor(async () => {\n  return x;\n}, { intervalMs: 5, timeoutMs: 10_000 });", [wait(10_000)]],
    ["await waitFor(isOver, { timeoutMs: 90_000 });", [wait(90_000)]],
    [
      "  await waitFor(\n    async () => {\n      await look();\n      return x;\n    },\n    { timeoutMs: 60_000 },\n  );\n",
      [wait(60_000)],
    ],
    ["  await waitFor(isOver);\n  const options = { timeoutMs: 60_000 };\n", []],
    ["await expect(waitFor(() => false, { timeoutMs: 20 })).rejects.toThrow();", []],
    ["  expect(performance.now() - began).toBeLessThan(1_000);\n", [span(1_000)]],
    ["  expect(Date.now() - Date.parse(times.at(-1) ?? '')).toBeLessThan(60_000);\n", [span(60_000)]],
    ["  expect(performance.now() - began).toBeGreaterThanOrEqual(300);\n", []],
    ["  expect(Date.parse(root.validFrom)).toBeLessThan(Date.now());\n", []],
    ["await waitFor(isOver, { timeoutMs: 120_000 });", []],
    ["await waitFor(isOver, { timeoutMs: 100_000 });", []],
  ])("checks the timeouts of %j", (text, problems) => {
    expect(checkTimeouts("a.test.ts", text)).toEqual(problems);
  });

  it("lets suites of whole services measure", () => {
    const text = "  expect(performance.now() - began).toBeLessThan(1_000);\n";
    expect(checkTimeouts("test-e2e/suites/a.test.ts", text)).toEqual([]);
  });
});
