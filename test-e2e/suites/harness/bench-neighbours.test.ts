import { describe, expect, it } from "@jest/globals";
import { formatNeighbours } from "../../bench/neighbours/format-neighbours.ts";
import { benchNeighbours } from "../../bench/neighbours/neighbours.ts";
import { planHostileItems } from "../../bench/neighbours/dead-targets.ts";
import type { HealthyJob, HealthyKind } from "../../bench/neighbours/healthy-jobs.ts";
import { compareSides, listMisses, type SideMeasure } from "../../bench/neighbours/judge-sides.ts";

const limitMs = 30_000;
const jobs = (kind: HealthyKind, count: number, milliseconds: number): HealthyJob[] =>
  Array.from({ length: count }, () => ({ kind, milliseconds }));
const lateJobs = Array.from({ length: 10 }, () => ({
  kind: "manifest" as const,
  milliseconds: undefined,
  problem: "not done within 30 s",
}));

const side = (comparison: SideMeasure["comparison"], parts: Partial<SideMeasure>): SideMeasure => ({
  round: 0,
  comparison,
  neighbours: undefined,
  seconds: 10,
  jobs: [...jobs("manifest", 200, 100), ...jobs("helm", 200, 200)],
  services: [{ name: "core-0", cpuSeconds: 4, peakRssMiB: 150, longestTurnMs: 80 }],
  controlPlane: [{ name: "etcd", cpuSeconds: 1, peakRssMiB: 60 }],
  disturbances: [],
  leftBusy: [],
  ...parts,
});

const sides: readonly SideMeasure[] = [
  side("dead targets", {}),
  // One of a hundred is beyond the 99th percentile.
  side("dead targets", {
    neighbours: "500 items on 64 servers",
    jobs: [...jobs("manifest", 198, 200), ...jobs("manifest", 2, 9000), ...jobs("helm", 200, 420)],
  }),
  side("processor limits", {}),
  side("processor limits", {
    neighbours: "90 jobs of 12 Installations",
    jobs: [...jobs("manifest", 190, 100), ...lateJobs, ...jobs("helm", 200, 600)],
    disturbances: ["core-0 was restarted"],
    leftBusy: ["core-0"],
  }),
];

describe("the bench neighbours", () => {
  it("measures both sides, and ends all that it starts", async () => {
    const announced: string[] = [];
    const announce = (line: string): number => announced.push(line);
    const options = {
      cluster: "embedded",
      count: 3,
      rounds: 1,
      perSecond: 4,
      items: 12,
      settleMs: 30_000,
      announce,
    } as const;
    const { sides, comparisons } = await benchNeighbours({ ...options, kinds: ["dead targets"] });
    expect(announced).toEqual([
      "warming the services up ...",
      "round 1 of 1: without neighbours ...",
      "round 1 of 1: beside dead targets ...",
    ]);
    expect(sides.map(({ neighbours, jobs }) => [neighbours, jobs.length])).toEqual([
      [undefined, 6],
      ["12 items on 64 servers", 6],
    ]);
    expect(sides[0]?.jobs.filter(({ milliseconds }) => milliseconds === undefined)).toEqual([]);
    expect(comparisons.map(({ kind, beside }) => [kind, beside.count])).toEqual([
      ["manifest", 3],
      ["helm", 3],
    ]);
  }, 150_000);

  it("compares the 99th percentile of each kind with the side before", () => {
    const comparisons = compareSides(sides, limitMs);
    expect(comparisons.map(({ comparison, kind, ratio }) => [comparison, kind, ratio])).toEqual([
      ["dead targets", "manifest", 2],
      ["dead targets", "helm", 2.1],
      ["processor limits", "manifest", 300],
      ["processor limits", "helm", 3],
    ]);
  });

  it("reports what does not hold", () => {
    const comparisons = compareSides(sides, limitMs);
    const misses = listMisses(comparisons, sides);
    expect(misses).toEqual([
      "helm jobs beside dead targets: p99 0.42 s, without 0.20 s: 2.10 times, the budget is 2",
      "manifest jobs beside processor limits: p99 30.00 s, without 0.10 s: 300.00 times, the budget is 3",
      "manifest jobs beside processor limits: 10 of 200: not done within 30 s",
      "beside processor limits: core-0 was restarted",
    ]);
    expect(formatNeighbours({ cluster: "real", perSecond: 4, sides, comparisons, misses })).toBe(
      `healthy jobs, 4 of each kind a second, on kube-apiserver v1.34.1
round 1, dead targets: 500 items on 64 servers
round 1, processor limits: 90 jobs of 12 Installations

jobs                              without/beside  p50 without  beside  p99 without   beside      p99  budget
manifest beside dead targets             200/200       0.10 s  0.20 s       0.10 s   0.20 s    2.00x      2x
helm beside dead targets                 200/200       0.20 s  0.42 s       0.20 s   0.42 s    2.10x      2x
manifest beside processor limits         200/200       0.10 s  0.10 s       0.10 s  30.00 s  300.00x      3x
helm beside processor limits             200/200       0.20 s  0.60 s       0.20 s   0.60 s    3.00x      3x

processor, peak RSS, longest turn                core-0          etcd
1 without                          40 %, 150 MiB, 80 ms  10 %, 60 MiB
1 beside dead targets              40 %, 150 MiB, 80 ms  10 %, 60 MiB
1 without                          40 %, 150 MiB, 80 ms  10 %, 60 MiB
1 beside processor limits          40 %, 150 MiB, 80 ms  10 %, 60 MiB

after round 1, beside processor limits: core-0 stayed busy and was started anew
${misses.map((miss) => `missed: ${miss}`).join("\n")}`,
    );
  });

  it("does not pass on a machine that has other work", () => {
    const slow = [...jobs("manifest", 200, 1100), ...jobs("helm", 200, 200)];
    const busy = [side("dead targets", { jobs: slow }), side("dead targets", { jobs: slow, neighbours: "500 items" })];
    const comparisons = compareSides(busy, limitMs).filter(({ comparison }) => comparison === "dead targets");
    expect(listMisses(comparisons, busy)).toEqual([
      "manifest jobs before dead targets: p50 1.10 s without neighbours: the machine is too busy to compare anything",
    ]);
  });

  it("has items of all kinds among a few, and so many of each among many", () => {
    const kinds = (count: number): Set<string> =>
      new Set(planHostileItems(count).map((item) => Object.values(item).join(" ")));
    expect(kinds(500)).toEqual(kinds(100));
    expect(kinds(12).size).toBeGreaterThan(5);
    const many = planHostileItems(500);
    expect(many).toHaveLength(500);
    expect(many.filter(({ server }) => server === "black hole")).toHaveLength(155);
    expect(many.filter(({ server }) => server === "flooding")).toHaveLength(10);
  });
});
