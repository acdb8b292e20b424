import type { ContainerPodStatus, ContainerProviderConfiguration } from "@landscaper/api";
import type { WantedRun } from "./run-identity.ts";
import { hasEnded, type ObservedPod } from "../pod/pod-state.ts";
import { endOf, findDisruption, findLoss, hasStarted, type ProgramEnd } from "../pod/program-end.ts";
import type { StartTrouble } from "../pod/start-trouble.ts";

/** What the status says of the last run. */
export interface RunRecord extends WantedRun {
  readonly attempt: number;
  /** Undefined until the Pod is recorded. */
  readonly podUID: string | undefined;
  readonly result: "Succeeded" | "Failed" | undefined;
  readonly error: ContainerPodStatus["error"];
  /** Why the Pod is given up before its program has started. Becomes the error of the run, unless the program has started after all. */
  readonly givenUp: ContainerPodStatus["givenUp"];
}

export interface ObservedRun {
  readonly wanted: WantedRun;
  readonly record: RunRecord | undefined;
  /** Name of the Pod of an attempt of the wanted run. */
  readonly podName: (attempt: number) => string;
  /** All of the item. */
  readonly pods: readonly ObservedPod[];
  readonly retryPolicy: ContainerProviderConfiguration["retryPolicy"];
  /** Pods that have ended stay until their item is gone. */
  readonly keepsPods: boolean;
  /** How long a container may fail to start. */
  readonly startGraceMs: number;
  /** What keeps the Pod of the attempt from starting its program, and for how long; undefined if nothing does. */
  readonly failing: FailingStart | undefined;
}

export type RunDecision =
  /** Remove Pods that are not to run, and wait until they are gone. */
  | { readonly type: "clear"; readonly pods: readonly ObservedPod[] }
  | { readonly type: "create"; readonly attempt: number }
  | { readonly type: "record"; readonly attempt: number; readonly pod: ObservedPod }
  | { readonly type: "ungate"; readonly pod: ObservedPod }
  | { readonly type: "wait"; readonly pod: ObservedPod; readonly failing?: GraceOfStart | undefined }
  | { readonly type: "collect"; readonly pod: ObservedPod }
  /** The program, or a container that it needs, has failed. */
  | { readonly type: "failed"; readonly pod: ObservedPod }
  /** Record why the Pod is given up, and delete it: its program must not start once the job has failed. */
  | { readonly type: "giveUp"; readonly pod: ObservedPod; readonly failing: FailingStart }
  /** Delete the Pod: the record already says that it is given up. */
  | { readonly type: "end"; readonly pod: ObservedPod }
  /** The Pod has ended before its program has started. */
  | { readonly type: "notStarted"; readonly pod: ObservedPod | undefined }
  /** Without a result; `pod` is what is left of it. */
  | { readonly type: "lost"; readonly why: string; readonly pod: ObservedPod | undefined }
  | { readonly type: "retry"; readonly attempt: number; readonly why: string }
  /** The result is recorded. */
  | { readonly type: "finish"; readonly record: RunRecord; readonly pod: ObservedPod | undefined };

/** A container that may fail to start for a while. */
export interface GraceOfStart extends FailingStart {
  readonly leftMs: number;
}

/** A container that does not start. */
export interface FailingStart {
  readonly trouble: StartTrouble;
  /** How long it has failed to start. */
  readonly failingMs: number;
}

/**
 * What a pass does about the run of a program (docs/reference/container-deployer.md#one-pod-per-run). A program starts only after the uid of its Pod is
 * recorded, and a recorded Pod is never made again: so no program runs twice for a run, unless the retry policy says so. Pure.
 */
export function decideRun(observed: ObservedRun): RunDecision {
  const { wanted, podName, pods } = observed;
  const record = isSameRun(observed.record, wanted) ? observed.record : undefined;
  const { attempt = 0 } = record ?? {};
  const own = pods.find(({ name }) => name === podName(attempt));
  if (record?.result !== undefined) return { type: "finish", record, pod: own };
  const others = pods.filter((pod) => pod !== own && !(observed.keepsPods && isLeftOver(pod)));
  if (others.length > 0) return { type: "clear", pods: others };
  if (record?.podUID === undefined) return decideStart(own, attempt);
  const isGone = own === undefined || own.uid !== record.podUID;
  if (isGone || (own.isDeleting && !own.isScheduled)) {
    if (record.givenUp !== undefined) return { type: "notStarted", pod: own };
    const why = isGone ? "it is gone" : "it was deleted before it started";
    return decideLoss(observed, attempt, { why, pod: own });
  }
  if (own.isGated) return { type: "ungate", pod: own };
  return decideEnd(observed, record, own) ?? decideGoing(observed, record, own);
}

function isSameRun(record: RunRecord | undefined, { runID, operation }: WantedRun): boolean {
  return record?.runID === runID && record.operation === operation;
}

/** Kept for debugging: nothing runs in it any more, and its results are taken. */
function isLeftOver(pod: ObservedPod): boolean {
  return hasEnded(pod) && pod.isKept && !pod.isDeleting;
}

/** Nothing has run yet: a Pod without record is behind its gate. */
function decideStart(own: ObservedPod | undefined, attempt: number): RunDecision {
  if (own === undefined) return { type: "create", attempt };
  if (own.isDeleting || hasEnded(own)) return { type: "clear", pods: [own] };
  return { type: "record", attempt, pod: own };
}

/** Returns undefined if the program has not ended. */
function decideEnd(observed: ObservedRun, record: RunRecord, pod: ObservedPod): RunDecision | undefined {
  const end = endOf(pod);
  if (end.type === "open") return undefined;
  if (end.type === "saved" && end.exitCode === 0) return { type: "collect", pod };
  const isUnstarted = end.type === "unsaved" && !hasStarted(pod.pod);
  if (isUnstarted && record.givenUp !== undefined) return { type: "notStarted", pod };
  const why = lossAt(end, pod);
  return why === undefined ? { type: "failed", pod } : decideLoss(observed, record.attempt, { why, pod });
}

/** Returns why the cluster, and not the program, has caused an end without success; undefined if the program has failed. */
function lossAt(end: Exclude<ProgramEnd, { readonly type: "open" }>, pod: ObservedPod): string | undefined {
  // An exit code that the program has chosen counts, whatever has happened to its Pod since.
  if (end.type === "saved") return end.isKilled ? findDisruption(pod) : undefined;
  return end.isSeen ? undefined : findLoss(pod);
}

function decideGoing(observed: ObservedRun, record: RunRecord, pod: ObservedPod): RunDecision {
  const { failing, startGraceMs } = observed;
  if (pod.isDeleting || failing === undefined) return { type: "wait", pod };
  if (record.givenUp !== undefined) return { type: "end", pod };
  const leftMs = failing.trouble.isFinal ? 0 : Math.max(0, startGraceMs - failing.failingMs);
  return leftMs === 0 ? { type: "giveUp", pod, failing } : { type: "wait", pod, failing: { ...failing, leftMs } };
}

function decideLoss(
  { retryPolicy }: ObservedRun,
  attempt: number,
  { why, pod }: { readonly why: string; readonly pod: ObservedPod | undefined },
): RunDecision {
  if (retryPolicy?.onPodLoss === true && attempt < retryPolicy.limit) {
    return { type: "retry", attempt: attempt + 1, why };
  }
  return { type: "lost", why, pod };
}
