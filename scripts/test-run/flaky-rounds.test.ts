import { describe, expect, it } from "@jest/globals";
import {
  describeRounds,
  exitCodeOf,
  expectMissingRounds,
  expectPatterns,
  findFailures,
  formatRound,
  nextFolder,
  parseRounds,
  type FlakyRound,
} from "./flaky-rounds.ts";

const round = (number: number, ...failures: readonly [file: string, firstMessage: string][]): FlakyRound => ({
  patterns: [],
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

  it("are read without a truncated last line", () => {
    const text = [round(1), round(2)].map(formatRound).join("");
    expect(parseRounds(text.slice(0, -10))).toEqual([round(1)]);
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

describe("findFailures", () => {
  const find = (status: number, ends: Readonly<Record<string, string>>, fileStatus = "passed") => {
    const assertionResults = Object.entries(ends).map(([fullName, end]) => ({ fullName, status: end }));
    const file = { name: "/root/a.test.ts", status: fileStatus, assertionResults, message: "did not load" };
    return findFailures({ status, results: JSON.stringify({ testResults: [file] }), summary: undefined }, "/root");
  };
  const broken = (status: number) => [{ file: "(the run itself)", firstMessage: `exit code ${status}, 1 files` }];

  it.each([
    { name: "nothing if all tests passed", found: find(0, { x: "passed" }), want: [] },
    {
      name: "nothing if a test is skipped with a reason",
      found: find(0, { x: "passed", "y (skipped: no etcd)": "pending" }),
      want: [],
    },
    {
      name: "a file with a failed test",
      found: find(1, { x: "passed", y: "failed" }, "failed"),
      want: [{ file: "a.test.ts", firstMessage: "y: did not load" }],
    },
    {
      name: "a file with a test that is skipped without a reason, as beside it.only",
      found: find(0, { x: "passed", y: "pending" }),
      want: [{ file: "a.test.ts", firstMessage: "y: skipped without a reason" }],
    },
    {
      name: "a file that did not load",
      found: find(1, {}, "failed"),
      want: [{ file: "a.test.ts", firstMessage: "did not load" }],
    },
    { name: "the run itself if it failed without a failed file", found: find(3, { x: "passed" }), want: broken(3) },
    {
      name: "the run itself if no test passed",
      found: find(0, { "y (skipped: no etcd)": "pending" }),
      want: broken(0),
    },
  ])("finds $name", ({ found, want }) => {
    expect(found).toEqual(want);
  });
});

describe("rounds of earlier calls", () => {
  it("must have the patterns of this call", () => {
    const whole = [round(1), round(2)];
    expect(() => expectPatterns(whole, [], "rounds.jsonl")).not.toThrow();
    expect(() => expectPatterns([], ["libs/api"], "rounds.jsonl")).not.toThrow();
    expect(() => expectPatterns(whole, ["libs/api", "suites/ha"], "rounds.jsonl")).toThrow(
      "--continue: rounds.jsonl: expected rounds of libs/api suites/ha, found round 1 of all test files",
    );
    expect(() => expectPatterns([{ ...round(1), patterns: ["libs/api"] }], [], "rounds.jsonl")).toThrow(
      "--continue: rounds.jsonl: expected rounds of all test files, found round 1 of libs/api",
    );
  });

  it("must have patterns at all", () => {
    const old = parseRounds(formatRound(round(1)).replace(`"patterns":[],`, ""));
    expect(() => expectPatterns(old, [], "rounds.jsonl")).toThrow("found round 1 of unknown patterns");
  });

  it("must be fewer than are asked for", () => {
    expect(() => expectMissingRounds([], 1, "rounds.jsonl")).not.toThrow();
    expect(() => expectMissingRounds([round(1)], 2, "rounds.jsonl")).not.toThrow();
    expect(() => expectMissingRounds([round(1)], 1, "rounds.jsonl")).toThrow(
      "ROUNDS: with --continue, expected the number of all rounds, earlier ones included, found 1, and rounds.jsonl has 1 round already",
    );
    expect(() => expectMissingRounds([round(1), round(2), round(3)], 2, "rounds.jsonl")).toThrow(
      "found 2, and rounds.jsonl has 3 rounds already",
    );
  });

  it("count for the exit code", () => {
    expect(exitCodeOf([round(1, ["a.test.ts", "adds"]), round(2)])).toBe(1);
    expect(exitCodeOf([round(1), round(2)])).toBe(0);
  });

  it("are moved to a folder with the next free number", () => {
    expect(nextFolder("flakes", () => false)).toBe("flakes-1");
    expect(nextFolder("flakes", (path) => path !== "flakes-3")).toBe("flakes-3");
  });
});
