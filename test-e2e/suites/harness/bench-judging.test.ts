// What benches judge: figures with budgets, sizes that are too small to judge, jobs that fail.
import { once } from "node:events";
import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "@jest/globals";
import type { Client } from "@landscaper/controller-runtime";
import { formatVerdict, listOverBudget } from "../../bench/measure/judge-figures.ts";
import { watchJobs } from "../../bench/measure/watch-jobs.ts";
import { formatScale } from "../../bench/scale/format-scale.ts";
import { listScaleMisses, listUnjudged as listUnjudgedScale } from "../../bench/scale/scale.ts";
import { listTemplateMisses } from "../../bench/templates/templates.ts";
import { listUnjudged as listUnjudgedWaiting, listWaitingMisses } from "../../bench/waiting/waiting.ts";

describe("figures with budgets", () => {
  it("miss if they are over the budget, or were not measured", () => {
    const misses = listOverBudget([
      ["equal", 2, 2],
      ["over", 2.01, 2],
      ["unmeasured", Number.NaN, 2],
      ["without a budget", 1, Number.NaN],
    ]);
    expect(misses).toEqual([
      "over: 2.01, the budget is 2",
      "unmeasured: NaN, the budget is 2",
      "without a budget: 1.00, the budget is NaN",
    ]);
    expect(formatVerdict(misses).slice(0, 1)).toEqual(["missed: over: 2.01, the budget is 2"]);
    expect(formatVerdict([])).toEqual(["all within the budgets"]);
  });

  it("miss in the bench of templates if the programs in Go answer no time", () => {
    const evaluation = { ours: 1, theirs: Number.NaN, ratio: Number.NaN };
    const spiff = [{ name: "merge", evaluation, firstNanoseconds: 2e6, limitMilliseconds: 1 }];
    expect(listTemplateMisses({ templates: [], templatesRatio: Number.NaN, spiff })).toEqual([
      "time of Go templates to that of Go: NaN, the budget is 1",
      "time of merge to that of spiff: NaN, the budget is 0.1",
      "ms of merge, first run: 2.00, the budget is 1",
    ]);
  });
});

describe("runs that are too small or too large to judge", () => {
  const batch = (millisecondsEach: number) => ({ total: 100, millisecondsEach, cpuEach: {} });
  const restart = {
    installations: 1,
    objects: 8,
    secondsToFirstWork: 99,
    secondsToFirstEnd: 99,
    peakRssMiB: { "landscaper-core": 9999 },
  };
  const quiet = { seconds: 30, requestsPerSecond: 999, cpuPercent: Number.NaN };
  const single = { count: 20, p50Ms: 1, p99Ms: 1, maxMs: 1000 };

  it("say so: scale", () => {
    const small = { batches: [batch(1)], restart, growth: 9 };
    expect(listScaleMisses(small)).toEqual([]);
    expect(
      formatScale({ ...small, misses: [] })
        .split("\n")
        .slice(-3),
    ).toEqual([
      "all judged figures within the budgets",
      "not judged: growth of the cost: fewer than 10 batches",
      "not judged: restart and memory: fewer than 20000 objects at the restart",
    ]);
    const large = {
      ...small,
      batches: Array.from({ length: 10 }, () => batch(1)),
      restart: { ...restart, objects: 20_000 },
    };
    expect(listScaleMisses(large)).toEqual([
      "growth of the cost: 9.00, the budget is 1.3",
      "seconds from the start to the first work: 99.00, the budget is 15",
      "MiB of landscaper-core: 9999.00, the budget is 600",
    ]);
    expect(listUnjudgedScale(large)).toEqual([]);
  });

  it("say so: waiting", () => {
    const figures = { quiet, single, peakRssMiB: 300 };
    expect(listWaitingMisses({ ...figures, type: "manifest", items: 1000 })).toEqual([
      "requests a second while all wait: 999.00, the budget is 50",
      "% of a processor while all wait: NaN, the budget is 15",
    ]);
    for (const size of [{ type: "manifest", items: 1001 } as const, { type: "helm", items: 10 } as const]) {
      expect(listWaitingMisses({ ...figures, ...size })).toEqual([]);
      expect(listUnjudgedWaiting(size)).toEqual([
        "requests and processor time while all wait: judged for at most 1000 items of the manifest deployer",
      ]);
    }
  });
});

describe("jobs that a bench follows", () => {
  const job = (name: string, phase: string) => ({
    apiVersion: "landscaper.gardener.cloud/v1alpha1",
    kind: "Installation",
    metadata: { name, namespace: "n", resourceVersion: "2" },
    status: { phase, jobID: "one", jobIDFinished: "one", lastError: { message: "no luck" } },
  });
  /** A watch of events, which then waits for its end, or breaks. */
  function played(events: readonly object[], ending: "waits" | "breaks") {
    const watch: unknown = async function* (_: unknown, { signal }: { readonly signal: AbortSignal }) {
      yield* events;
      if (ending === "breaks") throw new Error("no connection");
      await once(signal, "abort");
    };
    const list = async () => Promise.resolve({ resourceVersion: "1", items: [] });
    return { list, watch } as unknown as Client; // only these methods are called
  }
  const seen = async (): Promise<void> => await setImmediate();

  it.each([
    { what: "a job has failed before", events: [job("a", "Failed")], ending: "waits", error: "a: Failed: no luck" },
    { what: "the watch has broken before", events: [], ending: "breaks", error: "no connection" },
  ] as const)("are refused if $what", async ({ events, ending, error }) => {
    const watched = events.map((object) => ({ type: "MODIFIED", object }));
    const jobs = await watchJobs(played(watched, ending), "n");
    await seen();
    await expect(jobs.waitForAll(1, "finished")).rejects.toThrow(error);
    await jobs.stop();
  });

  it("are counted again after a reset, although one has failed", async () => {
    const events = [{ type: "MODIFIED", object: job("a", "Failed") }];
    const jobs = await watchJobs(played(events, "waits"), "n");
    await seen();
    jobs.reset();
    expect((await jobs.waitForAll(0, "finished")).size).toBe(0);
    await jobs.stop();
  });
});
