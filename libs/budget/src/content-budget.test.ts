import { describe, expect, it } from "@jest/globals";
import { BudgetError } from "./budget-error.ts";
import { ContentBudget, processorClock } from "./content-budget.ts";
import { processMemory } from "./memory-meter.ts";

function problemOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof BudgetError) return error.message;
    throw error;
  }
  return "ok";
}

it("has a name and a message with the place, if there is one", () => {
  const { name, message, problem } = new BudgetError("too long", "loop");
  expect({ name, message, problem }).toEqual({ name: "BudgetError", message: "loop: too long", problem: "too long" });
  expect(new BudgetError("too long").message).toBe("too long");
});

it("allows 10 s and 256 MiB by default", () => {
  const { timeMs, memoryBytes, isTimed } = new ContentBudget();
  expect({ timeMs, memoryBytes, isTimed }).toEqual({ timeMs: 10_000, memoryBytes: 268_435_456, isTimed: false });
});

describe("time", () => {
  it("counts what passes inside of measure, over all calls", () => {
    let now = 5;
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
      for (let i = 0; i < 255; i++) budget.step();
      expect(problemOf(() => budget.step())).toBe("more than 100 ms");
      expect(problemOf(() => budget.step("loop", 256))).toBe("loop: more than 100 ms");
    });
    expect(budget.isTimed).toBe(true);
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

describe("memory with a meter", () => {
  const mebibyte = 1024 * 1024;

  /** A process with garbage. */
  function playMemory(live: number): {
    grow(bytes: number): void;
    inUse(): number;
    collect(): void;
    collections: number;
  } {
    let garbage = 0;
    return {
      collections: 0,
      grow: (bytes) => void (live += bytes),
      inUse: () => live + (garbage += mebibyte),
      collect() {
        garbage = -mebibyte;
        this.collections++;
      },
    };
  }

  it("is what is in use, whatever has been dropped since", () => {
    const memory = playMemory(50 * mebibyte);
    const budget = new ContentBudget({ memoryBytes: 20 * mebibyte, memory });
    for (let i = 0; i < 1000; i++) budget.take("toYaml", mebibyte);
    expect(memory.collections).toBeGreaterThan(0);
    memory.grow(30 * mebibyte);
    expect(problemOf(() => budget.take("toYaml", 9 * mebibyte))).toBe(
      "toYaml: 29 MiB of memory in use, the limit is 20 MiB",
    );
  });

  it("is looked at now and then also where no results are large", () => {
    const memory = playMemory(0);
    const budget = new ContentBudget({ memoryBytes: 20 * mebibyte, memory, clock: () => 0 });
    memory.grow(40 * mebibyte);
    const steps = (): void => {
      for (let i = 0; i < 100_000; i++) budget.step("dict");
    };
    expect(problemOf(steps)).toBe("dict: 39 MiB of memory in use, the limit is 20 MiB");
  });

  it("refuses a single result that is larger than all", () => {
    const budget = new ContentBudget({ memoryBytes: 1000, memory: playMemory(0) });
    expect(problemOf(() => budget.take("repeat", 1001))).toBe("repeat: more than 1000 bytes of results");
  });

  /** A process whose memory changes by `set` only. Counts the calls. */
  function countCalls(used: number) {
    const calls = { inUse: 0, collect: 0 };
    const set = (bytes: number): void => void (used = bytes);
    const inUse = (): number => {
      calls.inUse += 1;
      return used;
    };
    const collect = (): void => {
      calls.collect += 1;
      used -= 1;
    };
    return { calls, set, memory: { inUse, collect } };
  }

  it("is looked at for every 4 MiB of results", () => {
    const { calls, memory } = countCalls(0);
    const budget = new ContentBudget({ memory });
    budget.take("toYaml", 4 * mebibyte - 1);
    expect(calls.inUse).toBe(1);
    budget.take("toYaml", 1);
    expect(calls.inUse).toBe(2);
    budget.take("toYaml", 4 * mebibyte - 1);
    expect(calls.inUse).toBe(2);
  });

  it("is looked at at every 64th look at the clock", () => {
    const { calls, memory } = countCalls(0);
    const budget = new ContentBudget({ memory });
    for (let i = 0; i < 63; i++) budget.look();
    expect(calls.inUse).toBe(1);
    budget.look();
    expect(calls.inUse).toBe(2);
    for (let i = 0; i < 63; i++) budget.look();
    expect(calls.inUse).toBe(2);
  });

  it("may reach the limit, and is collected only beyond it", () => {
    const before = 50 * mebibyte;
    const { calls, set, memory } = countCalls(before);
    const budget = new ContentBudget({ memoryBytes: 20 * mebibyte, memory });
    set(before + 20 * mebibyte);
    budget.take("toYaml", 4 * mebibyte);
    expect(calls.collect).toBe(0);
    set(before + 20 * mebibyte + 1);
    budget.take("toYaml", 4 * mebibyte);
    expect(calls.collect).toBe(1);
    set(before + 20 * mebibyte + 2);
    expect(problemOf(() => budget.take("toYaml", 4 * mebibyte))).toBe(
      "toYaml: 20 MiB of memory in use, the limit is 20 MiB",
    );
  });

  it("allows a single result of the whole limit after others", () => {
    const budget = new ContentBudget({ memoryBytes: 1000, memory: countCalls(0).memory });
    budget.take("repeat", 500);
    expect(problemOf(() => budget.take("repeat", 1000))).toBe("ok");
  });

  it("contains the memory of buffers", () => {
    // The system provides the pages at the first write.
    const kept = Buffer.alloc(1024 * mebibyte);
    expect(processMemory.inUse()).toBeGreaterThan(kept.length);
  });

  it("is that of the process", () => {
    let kept: object[] = Array.from({ length: 1_000_000 }, (_, index) => ({ index }));
    processMemory.collect();
    const held = processMemory.inUse();
    expect(kept).toHaveLength(1_000_000);
    // Seen by what it gives back: what other test files of the process have left may go in any collection, which makes the difference only larger.
    kept = [];
    processMemory.collect();
    expect(held - processMemory.inUse()).toBeGreaterThan(8 * mebibyte);
    expect(kept).toHaveLength(0);
  });
});

it("measures the processor time of the thread in milliseconds", () => {
  const usedMs = (): number => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  };
  const before = usedMs();
  const measured = processorClock();
  expect(measured).toBeGreaterThanOrEqual(before);
  expect(measured).toBeLessThanOrEqual(usedMs());
});
