import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { describeFile, describeSoak, isSensitive, soakedSuites } from "./soak-selection.ts";

describe("what is soaked", () => {
  it.each([
    { name: "a test that waits for a condition", source: "await waitFor(async () => true);", isTaken: true },
    { name: "a test that starts a process", source: "spawn(process.execPath, [])", isTaken: true },
    { name: "a test against a server", source: "const cluster = await startLocalCluster();", isTaken: true },
    { name: "a table test", source: "expect(add(1, 2)).toBe(3);", isTaken: false },
    { name: "a test that only has the word in another one", source: "expect(waitForever).toBe(1);", isTaken: false },
  ])("$name: $isTaken", ({ source, isTaken }) => {
    expect(isSensitive(source)).toBe(isTaken);
  });

  it("names suites that are there", () => {
    const isThere = (suite: string): boolean =>
      existsSync(join(import.meta.dirname, `../../test-e2e/suites/${suite}.test.ts`));
    expect(soakedSuites.filter((suite) => !isThere(suite))).toEqual([]);
  });
});

describe("the rounds", () => {
  it("are summed up by test", () => {
    const rounds = [
      { failed: ["b: x"], files: 7, seconds: 60 },
      { failed: ["b: x", "a: y"], files: 7, seconds: 60 },
    ];
    expect(describeSoak(rounds, { rounds: 2, files: 7 })).toEqual([
      "failed in 1 of 2 rounds: a: y",
      "failed in 2 of 2 rounds: b: x",
      "2 rounds in 2 minutes",
    ]);
    expect(describeSoak(rounds, { rounds: 10, files: 7 }).at(-1)).toBe(
      "2 rounds in 2 minutes; the time was up before all 10 were done",
    );
  });

  it("count as whole when they have run all files", () => {
    const rounds = [
      { failed: [], files: 7, seconds: 60 },
      { failed: [], files: 3, seconds: 30 },
    ];
    expect(describeSoak(rounds, { rounds: 2, files: 7 })).toEqual([
      "1 rounds and 3 of 7 files of another one in 2 minutes; the time was up before all 2 were done",
    ]);
  });

  it("have a line for each file, and one for each test of it that failed", () => {
    expect(describeFile({ file: "a.test.ts", round: 1, failed: [], seconds: 12.4 })).toBe(
      "round 1: PASS a.test.ts (12 s)",
    );
    const failed = ["a.test.ts: x", "a.test.ts: y"];
    expect(describeFile({ file: "a.test.ts", round: 2, failed, seconds: 3 })).toBe(
      "round 2: FAIL a.test.ts (3 s)\n  a.test.ts: x\n  a.test.ts: y",
    );
  });
});
