// From what was measured on the sides of the bench to its verdict. Pure.
import { percentile } from "../measure/percentile.ts";
import { healthyKinds, type HealthyJob, type HealthyKind } from "./healthy-jobs.ts";

/** Who works beside the healthy tenant. */
export const neighbourKinds = ["dead targets", "processor limits"] as const;
export type NeighbourKind = (typeof neighbourKinds)[number];

export interface ProcessMeasure {
  readonly name: string;
  readonly cpuSeconds: number;
  readonly peakRssMiB: number;
  /** See Vitals. */
  readonly longestTurnMs?: number | undefined;
}

/** One stretch of healthy jobs. */
export interface SideMeasure {
  readonly round: number;
  /** Which comparison it belongs to. */
  readonly comparison: NeighbourKind;
  /** What the neighbours did; undefined for the side without them. */
  readonly neighbours: string | undefined;
  readonly seconds: number;
  readonly jobs: readonly HealthyJob[];
  readonly services: readonly ProcessMeasure[];
  readonly controlPlane: readonly ProcessMeasure[];
  /** See `findDisturbances`. */
  readonly disturbances: readonly string[];
  /** Services that were still busy long after the neighbours had gone, and were started anew. */
  readonly leftBusy: readonly string[];
}

export interface JobTimes {
  readonly count: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Why jobs did not succeed, each reason with its number. */
  readonly problems: readonly string[];
}

export interface Comparison {
  readonly comparison: NeighbourKind;
  readonly kind: HealthyKind;
  readonly without: JobTimes;
  readonly beside: JobTimes;
  /** p99 beside neighbours to p99 without. */
  readonly ratio: number;
}

/** p99 beside neighbours to p99 without, at most. */
export const budgets: Readonly<Record<NeighbourKind, number>> = { "dead targets": 2, "processor limits": 3 };

/** Without neighbours a job takes 0.1 to 0.2 s; where it takes this long, the machine has other work, and everything is slow beside it. */
const busyP50Ms = 1_000;

function timesOf(sides: readonly SideMeasure[], kind: HealthyKind, limitMs: number): JobTimes {
  const jobs = sides.flatMap((side) => side.jobs).filter((job) => job.kind === kind);
  // A job that did not succeed counts as one that took all the time there was.
  const times = jobs.map(({ milliseconds }) => Math.min(milliseconds ?? limitMs, limitMs));
  const problems = new Map<string, number>();
  for (const { problem } of jobs) if (problem !== undefined) problems.set(problem, (problems.get(problem) ?? 0) + 1);
  return {
    count: jobs.length,
    p50Ms: percentile(times, 0.5),
    p99Ms: percentile(times, 0.99),
    problems: [...problems].map(([problem, count]) => `${count} of ${jobs.length}: ${problem}`),
  };
}

export function compareSides(sides: readonly SideMeasure[], limitMs: number): Comparison[] {
  return neighbourKinds.flatMap((comparison) => {
    const own = sides.filter((side) => side.comparison === comparison);
    return healthyKinds.map((kind) => {
      const without = timesOf(
        own.filter(({ neighbours }) => neighbours === undefined),
        kind,
        limitMs,
      );
      const beside = timesOf(
        own.filter(({ neighbours }) => neighbours !== undefined),
        kind,
        limitMs,
      );
      return { comparison, kind, without, beside, ratio: beside.p99Ms / without.p99Ms };
    });
  });
}

/** What does not hold, in words. */
export function listMisses(comparisons: readonly Comparison[], sides: readonly SideMeasure[]): string[] {
  const busy = comparisons.flatMap(({ comparison, kind, without }) => {
    if (without.p50Ms <= busyP50Ms) return [];
    const time = `${(without.p50Ms / 1000).toFixed(2)} s`;
    return [
      `${kind} jobs before ${comparison}: p50 ${time} without neighbours: the machine is too busy to compare anything`,
    ];
  });
  const slow = comparisons.flatMap(({ comparison, kind, without, beside, ratio }) => {
    // NaN, a side that was not measured, is over each budget.
    if (ratio <= budgets[comparison]) return [];
    const times = `${(beside.p99Ms / 1000).toFixed(2)} s, without ${(without.p99Ms / 1000).toFixed(2)} s`;
    return [
      `${kind} jobs beside ${comparison}: p99 ${times}: ${ratio.toFixed(2)} times, the budget is ${budgets[comparison]}`,
    ];
  });
  const failed = comparisons.flatMap(({ comparison, kind, without, beside }) => [
    ...without.problems.map((problem) => `${kind} jobs without neighbours: ${problem}`),
    ...beside.problems.map((problem) => `${kind} jobs beside ${comparison}: ${problem}`),
  ]);
  const disturbed = sides.flatMap(({ comparison, neighbours, disturbances }) =>
    disturbances.map((text) => `${neighbours === undefined ? "without neighbours" : `beside ${comparison}`}: ${text}`),
  );
  return [...busy, ...slow, ...failed, ...disturbed];
}
