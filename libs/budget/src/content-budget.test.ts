import { describe, expect, it } from "@jest/globals";
import { BudgetError } from "./budget-error.ts";
import { ContentBudget } from "./content-budget.ts";

function problemOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof BudgetError) return error.message;
    throw error;
  }
  return "ok";
}

describe("time", () => {
  it("counts what passes inside of measure, over all calls", () => {
    let now = 0;
    const budget = new ContentBudget({ timeMs: 100, clock: () => now });
    const work = (ms: number): string =>
      problemOf(() =>
        budget.measure(() => {
          now += ms;
          budget.look("schema");
        }),
      );
    expect(work(60)).toBe("ok");
    now += 10_000;
    expect(work(40)).toBe("ok");
    expect(work(1)).toBe("schema: more than 100 ms");
  });

  it("counts calls within calls once", () => {
    let now = 0;
    const budget = new ContentBudget({ timeMs: 100, clock: () => now });
    budget.measure(() => budget.measure(() => (now += 100)));
    expect(problemOf(() => budget.look())).toBe("ok");
    budget.measure(() => (now += 1));
    expect(problemOf(() => budget.look())).toBe("more than 100 ms");
  });

  it("is looked at every 256 steps", () => {
    let now = 0;
    const budget = new ContentBudget({ timeMs: 100, clock: () => now });
    budget.measure(() => {
      now = 101;
      for (let i = 0; i < 255; i++) budget.step();
      expect(problemOf(() => budget.step("loop"))).toBe("loop: more than 100 ms");
    });
  });

  it("is refused before it passes when it is announced", () => {
    let now = 0;
    const budget = new ContentBudget({ timeMs: 100, clock: () => now });
    budget.measure(() => {
      now = 50;
      expect(problemOf(() => budget.announce("genCA", 51))).toBe("genCA: more than 100 ms");
      expect(problemOf(() => budget.announce("genCA", 50))).toBe("ok");
      // The clock counts it, not the announcement.
      expect(problemOf(() => budget.announce("genCA", 50))).toBe("ok");
    });
  });

  it("is the sum of what was announced where there is no clock", () => {
    const budget = new ContentBudget({ timeMs: 100 });
    expect(problemOf(() => budget.announce("bcrypt", 60))).toBe("ok");
    expect(problemOf(() => budget.announce("bcrypt", 60))).toBe("bcrypt: more than 100 ms");
  });
});

it("counts memory that is taken, entries by 100 bytes", () => {
  const budget = new ContentBudget({ memoryBytes: 1000 });
  expect(problemOf(() => budget.take("toYaml", 500))).toBe("ok");
  expect(problemOf(() => budget.takeEntries("until", 5))).toBe("ok");
  expect(problemOf(() => budget.take("until", 1))).toBe("until: more than 1000 bytes of results");
});
