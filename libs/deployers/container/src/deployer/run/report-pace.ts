import type { Pod } from "@landscaper/api";
import { ownContainers } from "../../contract/environment.ts";
import { endOf } from "../pod/program-end.ts";
import { observePod, statusOf } from "../pod/pod-state.ts";
import { findStartTrouble } from "../pod/start-trouble.ts";

/**
 * What a Pod passes on its way to its end is reported no sooner after the last report than this, in ms: a busy node tells of each step one by one, for
 * minutes. That the program runs, which users wait for, comes sooner.
 */
export const reportPaceMs = { step: 10_000, running: 3000 };

/** What was reported last of a Pod that has not ended. */
export interface ReportedPod {
  readonly uid: string | undefined;
  /** Equal for Pods of which there is nothing else to say. */
  readonly summary: string;
  /** What the job waits for. */
  readonly waitingFor: string;
  /** Time of `Clock.elapsed`. */
  readonly atMs: number;
}

/** All of a Pod that is reported, or that the next step depends on. Pure. */
export function summarizePod(pod: Pod): string {
  const { metadata, spec, status } = pod;
  const scheduled = status?.conditions?.find(({ type }) => type === "PodScheduled");
  return JSON.stringify([
    metadata.deletionTimestamp,
    spec?.["nodeName"],
    status?.phase,
    status?.reason,
    scheduled && [scheduled.status, scheduled.reason, scheduled.message],
    status?.conditions?.find(({ type }) => type === "DisruptionTarget")?.status,
    ownContainers.map((container) => {
      const { state, lastState, image, imageID } = statusOf(pod, container) ?? {};
      return [state, lastState, image, imageID];
    }),
  ]);
}

/**
 * How soon a pass reports a Pod of which something was reported before, in ms; undefined = there is nothing new. The end of a Pod, its deletion, and what
 * keeps a container from starting do not wait for the pace. Pure.
 */
export function reportAfterMs(pod: Pod, reported: ReportedPod | undefined, elapsedMs: number): number | undefined {
  if (reported === undefined || pod.metadata.uid !== reported.uid) return 0;
  if (summarizePod(pod) === reported.summary) return undefined;
  if (isUrgent(pod)) return 0;
  const paceMs = isRunning(pod) ? reportPaceMs.running : reportPaceMs.step;
  return Math.max(0, reported.atMs + paceMs - elapsedMs);
}

/** How soon a pass has to come because of a change, in ms; undefined = it is reported by the next pass that comes anyway. Pure. */
export function newsAfterMs(pod: Pod, reported: ReportedPod | undefined, elapsedMs: number): number | undefined {
  const afterMs = reportAfterMs(pod, reported, elapsedMs);
  const isStep = reported?.uid === pod.metadata.uid && !isUrgent(pod) && !isRunning(pod);
  return isStep ? undefined : afterMs;
}

/** Time before its timeout at which a job reports the state of its Pod once more, in ms. */
const lastLookMs = 1000;

export interface ReportSpans {
  /** Time of `Clock.elapsed`. */
  readonly elapsedMs: number;
  /** Remaining time of the job; undefined without a timeout. */
  readonly remainingMs: number | undefined;
  /** Delay until the next other step; undefined if there is none. */
  readonly leftMs: number | undefined;
}

export interface ReportPlan {
  /** See `reportAfterMs`. */
  readonly afterMs: number | undefined;
  /** Longest delay until the next pass, in ms; undefined if only a change requires one. */
  readonly requeueAfterMs: number | undefined;
  readonly isToReport: boolean;
}

/** Decides whether a pass that waits for a Pod reports it, and when the next pass is due. Pure. */
export function planReport(
  pod: Pod,
  reported: ReportedPod | undefined,
  { elapsedMs, remainingMs, leftMs }: ReportSpans,
): ReportPlan {
  const afterMs = reportAfterMs(pod, reported, elapsedMs);
  const isLate = remainingMs !== undefined && remainingMs <= lastLookMs;
  const dueMs = least(leftMs, remainingMs === undefined || isLate ? undefined : remainingMs - lastLookMs);
  const isToReport = afterMs === undefined || afterMs === 0 || isLate;
  const requeueAfterMs = isToReport ? dueMs : least(newsAfterMs(pod, reported, elapsedMs), dueMs);
  return { afterMs, requeueAfterMs, isToReport };
}

function least(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : Math.min(one, other);
}

function isRunning(pod: Pod): boolean {
  return statusOf(pod, "main")?.state?.running !== undefined;
}

function isUrgent(pod: Pod): boolean {
  if (pod.metadata.deletionTimestamp !== undefined) return true;
  const observed = observePod(pod);
  return endOf(observed).type !== "open" || findStartTrouble(pod) !== undefined;
}
