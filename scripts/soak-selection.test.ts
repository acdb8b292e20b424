import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { describeSoak, fitsAnother, isSensitive, soakedSuites } from "./soak-selection.ts";

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
      existsSync(join(import.meta.dirname, `../test-e2e/suites/${suite}.test.ts`));
    expect(soakedSuites.filter((suite) => !isThere(suite))).toEqual([]);
  });
});

describe("the rounds", () => {
  it.each([
    { name: "begin", rounds: [], fits: true },
    { name: "go on while one more as long as the longest fits", rounds: [{ failed: [], seconds: 40 }], fits: true },
    {
      name: "end before the time is up",
      rounds: [
        { failed: [], seconds: 20 },
        { failed: [], seconds: 41 },
      ],
      fits: false,
    },
  ])("$name", ({ rounds, fits }) => {
    expect(fitsAnother(rounds, 100)).toBe(fits);
  });

  it("are summed up by test", () => {
    const rounds = [
      { failed: ["b: x"], seconds: 60 },
      { failed: ["b: x", "a: y"], seconds: 60 },
    ];
    expect(describeSoak(rounds, 2)).toEqual([
      "failed in 1 of 2 rounds: a: y",
      "failed in 2 of 2 rounds: b: x",
      "2 rounds in 2 minutes",
    ]);
    expect(describeSoak(rounds, 10).at(-1)).toBe("2 rounds in 2 minutes; the time was up before all 10 were done");
  });
});
