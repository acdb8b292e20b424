import { describe, expect, it } from "@jest/globals";
import * as fc from "fast-check";
import { createFakeClock } from "@landscaper/testkit";
import { noMetrics } from "../observability/metrics-interface.ts";
import type { QueueGauge } from "../observability/metrics-interface.ts";
import { createWorkQueue } from "./work-queue.ts";
import type { WorkQueue } from "./work-queue.ts";

function setUp(random = () => 1) {
  const clock = createFakeClock();
  const gauges: QueueGauge[] = [];
  const waits: number[] = [];
  const seen: string[] = [];
  const metrics = {
    ...noMetrics,
    addQueue: (gauge: QueueGauge) => void gauges.push(gauge),
    observeQueueWait: (_queue: string, waitMs: number) => void waits.push(waitMs),
    observeWork: (queue: string, durationMs: number) => void seen.push(`${queue}: done after ${durationMs}`),
    countAdd: (queue: string) => void seen.push(`${queue}: add`),
    countRetry: (queue: string) => void seen.push(`${queue}: retry`),
  };
  const queue = createWorkQueue({ name: "test", clock, random, metrics });
  return { clock, queue, gauge: gauges[0]!, waits, seen };
}

/** Takes keys until the queue has none to give. */
async function takeAll(queue: WorkQueue): Promise<string[]> {
  const keys: string[] = [];
  while (queue.depth > 0) {
    const key = await queue.take();
    if (key === undefined) break;
    keys.push(key);
    queue.done(key);
  }
  return keys;
}

describe("add and take", () => {
  it("gives keys in the order of their adds, each once", async () => {
    const { queue } = setUp();
    for (const key of ["a", "b", "a", "c", "b"]) queue.add(key);
    expect(queue.depth).toBe(3);
    expect(await takeAll(queue)).toEqual(["a", "b", "c"]);
  });

  it("hands a key to a worker that waits", async () => {
    const { queue } = setUp();
    const taken = [queue.take(), queue.take()];
    queue.add("a");
    queue.add("b");
    expect(await Promise.all(taken)).toEqual(["a", "b"]);
  });

  it("gives a key that is added during its work again, after its end and once", async () => {
    const { queue } = setUp();
    queue.add("a");
    expect(await queue.take()).toBe("a");
    queue.add("a");
    queue.add("a");
    queue.add("b");
    expect(await queue.take()).toBe("b");
    const next = queue.take();
    queue.done("a");
    expect(await next).toBe("a");
    expect(queue.depth).toBe(0);
  });

  it("does not give a key again that was not added again", async () => {
    const { queue } = setUp();
    queue.add("a");
    queue.done((await queue.take())!);
    expect(queue.depth).toBe(0);
  });
});

describe("priorities", () => {
  it("takes normal keys before low ones", async () => {
    const { queue } = setUp();
    queue.add("low-1", "low");
    queue.add("low-2", "low");
    queue.add("normal-1");
    expect(await takeAll(queue)).toEqual(["normal-1", "low-1", "low-2"]);
  });

  it("takes one low key in eight, so that they move under load", async () => {
    const { queue } = setUp();
    for (let index = 0; index < 30; index++) queue.add(`n${index}`);
    for (let index = 0; index < 3; index++) queue.add(`l${index}`, "low");
    const order = await takeAll(queue);
    expect(order.indexOf("l0")).toBe(7);
    expect(order.indexOf("l1")).toBe(15);
    expect(order).toHaveLength(33);
  });

  it("lifts a low key that is added with normal priority, and gives it once", async () => {
    const { queue } = setUp();
    queue.add("a", "low");
    queue.add("b", "low");
    queue.add("b");
    expect(await takeAll(queue)).toEqual(["b", "a"]);
  });

  it("does not lower a normal key", async () => {
    const { queue } = setUp();
    queue.add("a", "low");
    queue.add("b");
    queue.add("b", "low");
    expect(await takeAll(queue)).toEqual(["b", "a"]);
  });

  it("gives a lifted key once though it becomes low again during its work", async () => {
    const { queue } = setUp();
    queue.add("x", "low");
    queue.add("x");
    expect(await queue.take()).toBe("x");
    queue.add("x", "low");
    queue.done("x");
    expect(await takeAll(queue)).toEqual(["x"]);
  });
});

describe("delays", () => {
  it("adds after the delay", async () => {
    const { clock, queue } = setUp();
    queue.addAfter("a", 1_000);
    await clock.advance(999);
    expect(queue.depth).toBe(0);
    await clock.advance(1);
    expect(await takeAll(queue)).toEqual(["a"]);
  });

  it("adds at once without a delay", () => {
    const { queue } = setUp();
    queue.addAfter("a", 0);
    expect(queue.depth).toBe(1);
  });

  it.each([
    [1_000, 5_000],
    [5_000, 1_000],
  ])("keeps the earlier of %i ms and %i ms", async (first, second) => {
    const { clock, queue } = setUp();
    queue.addAfter("a", first);
    queue.addAfter("a", second);
    expect(clock.pendingTimers).toBe(1);
    await clock.advance(1_000);
    expect(await takeAll(queue)).toEqual(["a"]);
    await clock.advance(10_000);
    expect(queue.depth).toBe(0);
  });

  it("drops the delay of a key that is taken: its work decides anew", async () => {
    const { clock, queue } = setUp();
    queue.addAfter("a", 1_000);
    queue.add("a");
    queue.done((await queue.take())!);
    expect(clock.pendingTimers).toBe(0);
  });

  it("keeps a delay that is set during the work", async () => {
    const { clock, queue } = setUp();
    queue.add("a");
    await queue.take();
    queue.addAfter("a", 1_000);
    queue.done("a");
    await clock.advance(1_000);
    expect(await takeAll(queue)).toEqual(["a"]);
  });
});

describe("failures", () => {
  it("doubles the delay with every failure up to its limit, and starts anew after forget", () => {
    const { queue } = setUp();
    const delays = Array.from({ length: 14 }, () => queue.addFailed("a"));
    expect(delays).toEqual([
      100, 200, 400, 800, 1_600, 3_200, 6_400, 12_800, 25_600, 51_200, 102_400, 204_800, 300_000, 300_000,
    ]);
    expect(queue.failures("a")).toBe(14);
    queue.forget("a");
    expect([queue.failures("a"), queue.addFailed("a")]).toEqual([0, 100]);
  });

  it("counts each key for itself", () => {
    const { queue } = setUp();
    queue.addFailed("a");
    expect(queue.addFailed("b")).toBe(100);
  });

  it("spreads the delays", () => {
    const { queue } = setUp(() => 0);
    expect(queue.addFailed("a")).toBe(50);
  });

  it("does not let the backoff hold up an event", async () => {
    const { queue } = setUp();
    for (let index = 0; index < 10; index++) queue.addFailed("a");
    queue.add("a");
    expect(await takeAll(queue)).toEqual(["a"]);
  });
});

describe("stop", () => {
  it("sends waiting workers home and takes nothing more", async () => {
    const { clock, queue } = setUp();
    const waiting = queue.take();
    queue.addAfter("later", 1_000);
    await queue.stop();
    queue.add("a");
    queue.addAfter("b", 10);
    expect([await waiting, await queue.take(), queue.depth, clock.pendingTimers]).toEqual([undefined, undefined, 0, 0]);
  });

  it("resolves when the keys that were taken are done", async () => {
    const { queue } = setUp();
    queue.add("a");
    await queue.take();
    queue.add("a");
    const stopped = queue.stop();
    const nextTurn = new Promise((resolve) => setImmediate(resolve, "not yet"));
    expect(await Promise.race([stopped, nextTurn])).toBe("not yet");
    queue.done("a");
    await stopped;
    expect(queue.depth).toBe(0);
  });
});

describe("metrics", () => {
  it("tells adds, retries, and the time of the work", async () => {
    const { clock, queue, gauge, seen } = setUp();
    for (const key of ["a", "a", "b"]) queue.add(key);
    await queue.take();
    await clock.advance(2_000);
    await queue.take();
    await clock.advance(1_000);
    expect(gauge.unfinishedMs()).toEqual({ sum: 4_000, longest: 3_000 });
    queue.done("b");
    queue.addFailed("a");
    expect(gauge.unfinishedMs()).toEqual({ sum: 3_000, longest: 3_000 });
    expect(seen).toEqual(["test: add", "test: add", "test: done after 1000", "test: retry"]);
  });

  it("shows depth, age and work", async () => {
    const { clock, queue, gauge, waits } = setUp();
    expect([gauge.depth(), gauge.oldestAgeMs(), gauge.processing()]).toEqual([0, 0, 0]);
    queue.add("a");
    await clock.advance(3_000);
    queue.add("b");
    await clock.advance(1_000);
    expect([gauge.depth(), gauge.oldestAgeMs(), gauge.processing()]).toEqual([2, 4_000, 0]);
    await queue.take();
    expect([gauge.depth(), gauge.oldestAgeMs(), gauge.processing()]).toEqual([1, 1_000, 1]);
    expect(waits).toEqual([4_000]);
  });
});

describe("under any sequence of calls", () => {
  type Step = { readonly act: "add" | "addLow" | "take" | "done"; readonly key: string };
  const step: fc.Arbitrary<Step> = fc.record({
    act: fc.constantFrom("add", "addLow", "take", "done"),
    key: fc.constantFrom("a", "b", "c"),
  });

  it("never has a key twice in work, and works every add after it was made", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const { queue } = setUp();
        const working = new Set<string>();
        /** Keys added since their last take: each has to be taken again. */
        const owed = new Set<string>();
        const take = async (): Promise<void> => {
          if (![...owed].some((key) => !working.has(key))) return;
          const key = (await queue.take())!;
          expect(working.has(key)).toBe(false);
          expect(owed.delete(key)).toBe(true);
          working.add(key);
        };
        for (const { act, key } of steps) {
          if (act === "take") await take();
          else if (act === "done") {
            if (working.delete(key)) queue.done(key);
          } else {
            queue.add(key, act === "add" ? "normal" : "low");
            owed.add(key);
          }
        }
        for (const key of working) queue.done(key);
        working.clear();
        while (owed.size > 0) {
          await take();
          for (const key of working) queue.done(key);
          working.clear();
        }
        expect(queue.depth).toBe(0);
      }),
      { numRuns: 300 },
    );
  });
});
