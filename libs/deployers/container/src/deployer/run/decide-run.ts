import type { ContainerPodStatus, ContainerProviderConfiguration } from "@landscaper/api";
import type { WantedRun } from "./run-identity.ts";
import {
  findImageTrouble,
  findLoss,
  hasEnded,
  hasKept,
  type ImageTrouble,
  type ObservedPod,
} from "../pod/pod-state.ts";

/** What the status says of the last run. */
export interface RunRecord extends WantedRun {
  readonly attempt: number;
  /** Undefined until the Pod is recorded. */
  readonly podUID: string | undefined;
  readonly result: "Succeeded" | "Failed" | undefined;
  readonly error: ContainerPodStatus["error"];
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
}

export type RunDecision =
  /** Remove Pods that are not to run, and wait until they are gone. */
  | { readonly type: "clear"; readonly pods: readonly ObservedPod[] }
  | { readonly type: "create"; readonly attempt: number }
  | { readonly type: "record"; readonly attempt: number; readonly pod: ObservedPod }
  | { readonly type: "ungate"; readonly pod: ObservedPod }
  | { readonly type: "wait"; readonly pod: ObservedPod }
  | { readonly type: "collect"; readonly pod: ObservedPod }
  | { readonly type: "failed"; readonly pod: ObservedPod; readonly trouble: ImageTrouble | undefined }
  /** Without a result; `pod` is what is left of it. */
  | { readonly type: "lost"; readonly why: string; readonly pod: ObservedPod | undefined }
  | { readonly type: "retry"; readonly attempt: number; readonly why: string }
  /** The result is recorded. */
  | { readonly type: "finish"; readonly record: RunRecord; readonly pod: ObservedPod | undefined };

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
  if (own === undefined || own.uid !== record.podUID) {
    return decideLoss(observed, attempt, { why: "it is gone", pod: own });
  }
  if (own.isDeleting && !own.isScheduled) {
    return decideLoss(observed, attempt, { why: "it was deleted before it started", pod: own });
  }
  if (own.isGated) return { type: "ungate", pod: own };
  return decideGoing(observed, attempt, own);
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

function decideGoing(observed: ObservedRun, attempt: number, pod: ObservedPod): RunDecision {
  if (pod.phase === "Succeeded")
    return hasKept(pod.pod) ? { type: "collect", pod } : { type: "failed", pod, trouble: undefined };
  if (pod.phase === "Failed") {
    const why = findLoss(pod);
    return why === undefined
      ? { type: "failed", pod, trouble: undefined }
      : decideLoss(observed, attempt, { why, pod });
  }
  const trouble = findImageTrouble(pod.pod);
  return trouble === undefined ? { type: "wait", pod } : { type: "failed", pod, trouble };
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
