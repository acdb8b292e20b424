import type { Watched } from "../../hostile/leased-services.ts";
import { findDisturbances, type Vitals } from "../../hostile/vitals.ts";
import type { Environment } from "../../src/services/environment.ts";
import { readProcessUsage, resetPeakRss } from "../measure/process-usage.ts";
import { runHealthyJobs, type HealthyLoad } from "./healthy-jobs.ts";
import type { HostileLoad } from "./hostile-load.ts";
import type { NeighbourKind, ProcessMeasure, SideMeasure } from "./judge-sides.ts";
import { settle } from "./settle.ts";

export interface Side {
  readonly round: number;
  readonly comparison: NeighbourKind;
  /** Starts the neighbours; without it there are none. */
  readonly startNeighbours?: (() => Promise<HostileLoad>) | undefined;
  readonly watched: Watched;
  readonly load: HealthyLoad;
  /** How long the services may take to come to rest afterwards. */
  readonly settleMs: number;
}

function subtract(before: Vitals | undefined, after: Vitals): ProcessMeasure {
  const { service: name, cpuSeconds, peakRssMiB, longestTurnMs } = after;
  const usedBefore = before?.pid === after.pid ? before.cpuSeconds : 0;
  return { name, cpuSeconds: cpuSeconds - usedBefore, peakRssMiB, longestTurnMs };
}

function readControlPlane({ hub }: Environment): ProcessMeasure[] {
  return hub.children.map(({ name, pid }) => ({ name, ...readProcessUsage(pid) }));
}

/** One stretch of healthy jobs, with or without neighbours; all is quiet again when this resolves. */
export async function measureSide(side: Side): Promise<SideMeasure> {
  const { round, comparison, startNeighbours, watched, load, settleMs } = side;
  const { environment } = load;
  for (const { child } of environment.services) resetPeakRss(child.pid);
  const before = await watched.read();
  const controlPlaneBefore = readControlPlane(environment);
  const began = performance.now();
  const neighbours = await startNeighbours?.();
  const jobs = await runHealthyJobs(load);
  const after = await watched.read();
  const seconds = (performance.now() - began) / 1000;
  const controlPlane = readControlPlane(environment).map((usage, index) => ({
    ...usage,
    cpuSeconds: usage.cpuSeconds - (controlPlaneBefore[index]?.cpuSeconds ?? 0),
  }));
  const described = neighbours?.describe();
  await neighbours?.stop();
  const leftBusy = await settle(environment.services, settleMs);
  return {
    round,
    comparison,
    neighbours: described,
    seconds,
    jobs,
    services: after.map((vitals, index) => subtract(before[index], vitals)),
    controlPlane,
    disturbances: after.flatMap((vitals, index) => findDisturbances(before[index] ?? vitals, vitals)),
    leftBusy,
  };
}
