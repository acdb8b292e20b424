import { describe, expect, it } from "@jest/globals";
import { describeRounds, formatRound, parseRounds, type FlakyRound } from "./flaky-rounds.ts";

const round = (number: number, ...failures: readonly [file: string, firstMessage: string][]): FlakyRound => ({
  round: number,
  commit: "abc1234",
  seed: 70 + number,
  passed: 1000,
  seconds: 900,
  failures: failures.map(([file, firstMessage]) => ({ file, firstMessage })),
});

describe("rounds of flakes", () => {
  it("are stored as one line each, which parseRounds reads", () => {
    const rounds = [round(1, ["a.test.ts", "adds: 1\n2"]), round(2)];
    expect(parseRounds(rounds.map(formatRound).join(""))).toEqual(rounds);
    expect(parseRounds("")).toEqual([]);
  });

  it("are reported with a table of file, failures and first message", () => {
    const rounds = [
      round(1, ["b.test.ts", "sums: a|b"], ["a.test.ts", "adds"]),
      round(2, ["b.test.ts", "other"]),
      round(3),
    ];
    expect(describeRounds(rounds)).toEqual([
      "round 1: 1000 passed, 2 files failed in 15 minutes (commit abc1234, order 71)",
      "round 2: 1000 passed, 1 file failed in 15 minutes (commit abc1234, order 72)",
      "round 3: 1000 passed, 0 files failed in 15 minutes (commit abc1234, order 73)",
      "",
      "| file | failures | first message |",
      "|---|---|---|",
      "| a.test.ts | 1 | adds |",
      String.raw`| b.test.ts | 2 | sums: a\|b |`,
      "",
      "3 rounds, 1 without a failure; the last 1 in a row without a failure",
    ]);
  });

  it("have no table if nothing failed", () => {
    expect(describeRounds([round(1), round(2)]).slice(2)).toEqual([
      "2 rounds, 2 without a failure; the last 2 in a row without a failure",
    ]);
    expect(describeRounds([])).toEqual(["0 rounds, 0 without a failure; the last 0 in a row without a failure"]);
  });
});
