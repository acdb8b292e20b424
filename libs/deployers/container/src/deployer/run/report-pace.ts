import type { Pod } from "@landscaper/api";
import { findImageTrouble, hasEnded, observePod, statusOf } from "../pod/pod-state.ts";

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
  /** Of a clock that nobody sets. */
  readonly atMs: number;
}

const containers = ["init", "wait", "main"] as const;

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
    containers.map((container) => {
      const { state, image, imageID } = statusOf(pod, container) ?? {};
      return [state, image, imageID];
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

function isRunning(pod: Pod): boolean {
  return statusOf(pod, "main")?.state?.running !== undefined;
}

function isUrgent(pod: Pod): boolean {
  if (pod.metadata.deletionTimestamp !== undefined || hasEnded(observePod(pod))) return true;
  // The kubelet tries again what is no trouble yet.
  const isRefused = containers.some((container) => {
    const { reason = "" } = statusOf(pod, container)?.state?.waiting ?? {};
    return reason.startsWith("Err");
  });
  return isRefused || findImageTrouble(pod) !== undefined;
}
