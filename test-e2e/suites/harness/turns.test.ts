import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import {
  casesOfTurn,
  isPackageTest,
  longTurns,
  realTurns,
  shareOfTurn,
  shareSteps,
  takesTurn,
  testsWithoutTurn,
  mediumTests,
} from "../../src/runs/turns.ts";

const suites = globSync("**/*.test.ts", { cwd: join(import.meta.dirname, "..") }).map((file) =>
  file.replace(/\.test\.ts$/, ""),
);
const isThere = (test: string): boolean =>
  isPackageTest(test) ? existsSync(join(import.meta.dirname, "../../..", `${test}.test.ts`)) : suites.includes(test);
const turns = Array.from({ length: realTurns }, (_, turn) => String(turn));

describe("takesTurn", () => {
  it("gives every suite the real API server once in as many runs as there are turns", () => {
    const counts = new Map(suites.map((suite) => [suite, turns.filter((turn) => takesTurn(suite, turn)).length]));
    expect([...counts].filter(([, count]) => count !== 1 && count !== realTurns)).toEqual([]);
    expect(counts.get("admission")).toBe(realTurns);
  });

  it("gives about as many suites to each turn", () => {
    const sizes = turns.map((turn) => suites.filter((suite) => takesTurn(suite, turn)).length);
    expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThan(suites.length / 4);
  });

  it("leaves nothing out where no turn is asked for", () => {
    expect(suites.filter((suite) => !takesTurn(suite, undefined))).toEqual([]);
  });
});

describe("testsWithoutTurn", () => {
  const medium = mediumTests.flat();

  it.each([
    ["long test", longTurns, (test: string) => !medium.includes(test)],
    ["medium test", mediumTests.length, (test: string) => medium.includes(test)],
  ])("runs each %s once in as many runs as there are groups", (_name, runs, isInGroup) => {
    const waiting = Array.from({ length: runs }, (_, turn) => testsWithoutTurn(String(turn + runs)))
      .flat()
      .filter(isInGroup);
    const known = new Set(waiting);
    expect([...known].filter((test) => !isThere(test))).toEqual([]);
    expect(waiting.toSorted()).toEqual([...known].flatMap((test) => Array<string>(runs - 1).fill(test)).toSorted());
  });

  it("runs more than half of the suites in each run", () => {
    const runs = Array.from({ length: longTurns * mediumTests.length }, (_, turn) => testsWithoutTurn(String(turn)));
    const sizes = runs.map((waiting) => suites.length - waiting.filter((test) => !isPackageTest(test)).length);
    expect(Math.min(...sizes)).toBeGreaterThan(suites.length / 2);
  });

  it("lists no suite in mediumTests that takes a share of its own cases", () => {
    const textOf = (suite: string): string => readFileSync(join(import.meta.dirname, "..", `${suite}.test.ts`), "utf8");
    const theirSuites = medium.filter((test) => !isPackageTest(test));
    expect(
      theirSuites.filter((suite) => /\b(?:cases|installations)OfRun\(|\b(?:share|cases)OfTurn\(/.test(textOf(suite))),
    ).toEqual([]);
  });

  it("leaves none of them without a turn on the real API server", () => {
    const runs = Array.from({ length: longTurns * mediumTests.length * realTurns }, (_, turn) => String(turn));
    const onReal = (suite: string): boolean =>
      runs.some((turn) => takesTurn(suite, turn) && !testsWithoutTurn(turn).includes(suite));
    expect(suites.filter((suite) => !onReal(suite))).toEqual([]);
  });

  it("gives each of them all its shares", () => {
    const divisorOf = (one: number, other: number): number => (other === 0 ? one : divisorOf(other, one % other));
    const divisors = Object.entries(shareSteps).map(([name, step]) => [name, divisorOf(step, longTurns)]);
    expect(divisors).toEqual(Object.keys(shareSteps).map((name) => [name, 1]));
  });

  it("leaves nothing out where no turn is asked for", () => {
    expect(testsWithoutTurn(undefined)).toEqual([]);
  });
});

describe("shareOfTurn", () => {
  it("has had everything after as many runs as there are steps", () => {
    const seen = ["7", "8", "9"].flatMap((turn) => {
      const { first, step } = shareOfTurn(turn, { step: 3, shift: 1 });
      return Array.from({ length: 4 }, (_, index) => first + index * step);
    });
    expect(seen.toSorted((one, other) => one - other)).toEqual(Array.from({ length: 12 }, (_, index) => index + 1));
  });

  it("is everything without a turn", () => {
    expect(shareOfTurn(undefined, { step: 3, shift: 1 })).toEqual({ first: 1, step: 1 });
  });
});

describe("casesOfTurn", () => {
  const cases = ["a", "b", "c", "d", "e"];

  it("gives each case its turn once in three runs", () => {
    expect(["6", "7", "8"].map((turn) => casesOfTurn(cases, turn))).toEqual([["a", "d"], ["b", "e"], ["c"]]);
  });

  it("gives each case a turn on the real API server", () => {
    const runs = Array.from({ length: 3 * realTurns }, (_, turn) => String(turn));
    const onReal = runs.filter((turn) => takesTurn("bad-input", turn)).flatMap((turn) => casesOfTurn(cases, turn));
    expect(onReal.toSorted()).toEqual(cases);
  });

  it("gives all of them without a turn", () => {
    expect(casesOfTurn(cases, undefined)).toEqual(cases);
  });
});
