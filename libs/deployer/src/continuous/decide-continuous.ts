import {
  annotations,
  conditionTypes,
  isJobOpen,
  operations,
  type DeployItem,
  type DeployItemStatus,
} from "@landscaper/api";
import { admittedMs, nextRunMs, type ContinuousSchedule } from "./continuous-schedule.ts";

export interface ObservedContinuous {
  readonly item: DeployItem;
  readonly schedule: ContinuousSchedule | undefined;
  /** Whether a run of this process is in work: it is brought to its end also when the schedule has changed. */
  readonly isRunning: boolean;
}

/** What continuousReconcile does about an item now. */
export type ContinuousDecision =
  /** Nothing, until something changes. */
  { readonly type: "off" } | { readonly type: "wait"; readonly untilMs: number } | { readonly type: "run" };

/**
 * deployers.md §1.1: what was deployed is repeated, between jobs only, and only the spec that a job has deployed successfully: a
 * schedule does not roll out changes. A run that a process has left behind is made up for at once. Pure.
 */
export function decideContinuous({ item, schedule, isRunning }: ObservedContinuous, now: number): ContinuousDecision {
  if (!isBetweenJobs(item)) return { type: "off" };
  if (isRunning || isRefreshRequested(item)) return { type: "run" };
  if (schedule === undefined || isMuted(item)) return { type: "off" };
  if (isRepetitionOpen(item.status)) return { type: "run" };
  const lastMs = lastRunMs(item.status);
  if (lastMs === undefined) return { type: "off" };
  const { uid = "" } = item.metadata;
  const dueMs = nextRunMs(schedule, lastMs, uid);
  // What was missed, because no deployer ran, is not made up for outside of the windows.
  const startMs = dueMs === undefined || now < dueMs ? dueMs : admittedMs(schedule, now, uid);
  if (startMs === undefined) return { type: "off" };
  return now >= startMs ? { type: "run" } : { type: "wait", untilMs: startMs };
}

/** Whether somebody wants a run now, whatever the schedule says. */
export function isRefreshRequested({ metadata }: DeployItem): boolean {
  return metadata.annotations?.[annotations.operation] === operations.refresh;
}

/** Whether the item is as its last job has left it, successfully, and no other one is open. */
export function isBetweenJobs({ metadata, status }: DeployItem): boolean {
  if (isJobOpen(status) || status?.phase !== "Succeeded" || metadata.deletionTimestamp !== undefined) return false;
  return metadata.generation === status.observedGeneration;
}

function isMuted({ metadata }: DeployItem): boolean {
  return metadata.annotations?.[annotations.continuousReconcileActive] === "false";
}

/** Whether the status says that a run is in work: this process's, that of another replica, or one that has died. */
export function isRepetitionOpen(status: DeployItemStatus | undefined): boolean {
  return conditionOf(status)?.status === "Unknown";
}

/** The end of the last run or of the job, in ms. */
function lastRunMs(status: DeployItemStatus | undefined): number | undefined {
  const times = [status?.transitionTimes?.finishedTime, status?.lastReconcileTime, conditionOf(status)?.lastUpdateTime];
  const known = times.flatMap((time) => (time === undefined ? [] : [Date.parse(time)])).filter(Number.isFinite);
  return known.length === 0 ? undefined : Math.max(...known);
}

function conditionOf(status: DeployItemStatus | undefined) {
  return status?.conditions?.find(({ type }) => type === conditionTypes.continuousReconcile);
}
