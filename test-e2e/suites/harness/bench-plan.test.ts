import { describe, expect, it } from "@jest/globals";
import { benches } from "../../bench/benches.ts";
import { defineBench } from "../../bench/define-bench.ts";
import { describeOutcome, exitStatusOf, type Outcome } from "../../bench/judge-run.ts";
import { describeUsage, planBenches, runsApart } from "../../bench/plan-benches.ts";

const run = async () => Promise.resolve({ report: "", figures: {}, misses: [] });
const some = [
  defineBench({ name: "one", summary: "first", full: { count: 9 }, smallest: { count: 1 }, run }),
  defineBench({
    name: "two",
    summary: "second",
    full: { rounds: 5, played: false, type: "manifest" },
    smallest: { rounds: 1, played: true, type: "manifest" },
    run,
  }),
];

describe("the plan of a run of benches", () => {
  it.each<readonly [args: string, runs: readonly object[], more: object]>([
    ["one", [{ name: "one", count: 9 }], {}],
    ["one --count 4 --json", [{ name: "one", count: 4 }], { json: true }],
    ["one --smallest", [{ name: "one", count: 1 }], { isSmallest: true }],
    ["two --played --type helm", [{ name: "two", rounds: 5, played: true, type: "helm" }], {}],
    [
      "all",
      [
        { name: "one", count: 9 },
        { name: "two", rounds: 5, played: false, type: "manifest" },
      ],
      { isAll: true },
    ],
    [
      "all --smallest",
      [
        { name: "one", count: 1 },
        { name: "two", rounds: 1, played: true, type: "manifest" },
      ],
      { isAll: true, isSmallest: true },
    ],
  ])("of %s", (args, runs, more) => {
    const plan = planBenches(args.split(" "), some);
    expect(plan).toMatchObject({ type: "run", isAll: false, isSmallest: false, json: false, ...more });
    if (plan.type !== "run") throw new Error(plan.type);
    expect(plan.runs.map(({ bench, values }) => ({ name: bench.name, ...values }))).toEqual(runs);
  });

  it.each<readonly [args: string, message: string | RegExp]>([
    ["", "expected the name of a bench: all, one, two"],
    ["three", 'unknown bench "three": expected all, one, two'],
    ["one two", "expected one bench, found one, two"],
    ["one --count 0", '--count: expected a positive integer, found "0"'],
    ["one --count x", '--count: expected a positive integer, found "x"'],
    ["one --count 1.5", '--count: expected a positive integer, found "1.5"'],
    ["two --type x", '--type: expected manifest or helm, found "x"'],
    ["one --rounds 2", 'the bench "one" does not use --rounds: it has --count, --smallest, --json'],
    ["one --played", 'the bench "one" does not use --played: it has --count, --smallest, --json'],
    ["all --count 2", 'the bench "all" does not use --count: it has --smallest, --json'],
    ["one --many", /^unknown flag --many$/],
  ])("refuses %s", (args, message) => {
    const plan = planBenches(args.split(" ").filter(Boolean), some);
    expect(plan).toEqual({
      type: "refuse",
      message: typeof message === "string" ? message : expect.stringMatching(message),
    });
  });

  it.each([
    ["one", false],
    ["one --smallest", false],
    ["all", true],
    ["all --smallest", false],
  ])("of %s has a process for each bench: %s", (args, want) => {
    const plan = planBenches(args.split(" "), some);
    expect(plan.type === "run" && runsApart(plan)).toBe(want);
  });

  it("prints help, which says that the run does not judge figures of the smallest size", () => {
    expect(planBenches(["--help"], some)).toEqual({ type: "help" });
    expect(describeUsage(some)).toContain("  two [--rounds 5] [--played] [--type manifest]\n      second\n");
    expect(describeUsage(some)).toContain("too small to judge: a missed budget is reported, but does not fail the run");
  });
});

describe("the list of benches", () => {
  it("has unique names, and a smallest value for each flag", () => {
    expect(new Set(benches.map(({ name }) => name)).size).toBe(benches.length);
    const flagsOf = (values: object): string[] => Object.keys(values).toSorted();
    expect(benches.map(({ smallest }) => flagsOf(smallest))).toEqual(benches.map(({ full }) => flagsOf(full)));
  });
});

describe("the result of a run of benches", () => {
  const within: Outcome = { type: "ran", name: "one", misses: [] };
  const missed: Outcome = { type: "ran", name: "two", misses: ["a: 2, at most 1", "b"] };
  const skipped: Outcome = { type: "skipped", name: "three", reason: "the program go is missing" };
  const failed: Outcome = { type: "failed", name: "four", reason: "broken" };
  const all = { isAll: true, isSmallest: false };
  const smallest = { isAll: true, isSmallest: true };

  it.each([
    { what: "within the budgets", outcomes: [within, skipped], run: all, status: 0 },
    { what: "with a miss", outcomes: [within, missed], run: all, status: 1 },
    { what: "with a miss at the smallest size", outcomes: [within, missed], run: smallest, status: 0 },
    { what: "with a bench that failed", outcomes: [within, missed, failed], run: all, status: 3 },
    { what: "with one that failed at the smallest size", outcomes: [failed], run: smallest, status: 3 },
    { what: "of one that this machine cannot run", outcomes: [skipped], run: { ...all, isAll: false }, status: 3 },
  ])("$what has the exit status $status", ({ outcomes, run, status }) => {
    expect(exitStatusOf(outcomes, run)).toBe(status);
  });

  it("has one line for each bench", () => {
    expect([within, missed, skipped, failed].map(describeOutcome)).toEqual([
      "ran: one: within the budgets",
      "ran: two: missed: a: 2, at most 1; b",
      "skipped: three: the program go is missing",
      "failed: four: broken",
    ]);
  });
});
