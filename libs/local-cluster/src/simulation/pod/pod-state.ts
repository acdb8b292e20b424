import type { UnstructuredObject } from "@landscaper/api";
import { listAt, stringAt } from "../../objects/json.ts";

/** What the controllers of workloads look at in a pod. */
export function phaseIn(pod: UnstructuredObject): string {
  return stringAt(pod, "status", "phase");
}

export function isTerminating(pod: UnstructuredObject): boolean {
  return pod.metadata.deletionTimestamp !== undefined;
}

export function isFinished(pod: UnstructuredObject): boolean {
  return ["Succeeded", "Failed"].includes(phaseIn(pod));
}

/** Counts as a replica. */
export function isActive(pod: UnstructuredObject): boolean {
  return !isFinished(pod) && !isTerminating(pod);
}

function readyCondition(pod: UnstructuredObject): unknown {
  return listAt(pod, "status", "conditions").find((condition) => stringAt(condition, "type") === "Ready");
}

export function isReady(pod: UnstructuredObject): boolean {
  return stringAt(readyCondition(pod), "status") === "True";
}

/** When a ready pod has been ready for long enough, in ms since the epoch; Infinity when it is not ready. */
export function availableAt(pod: UnstructuredObject, minReadySeconds: number): number {
  if (!isReady(pod)) return Infinity;
  if (minReadySeconds === 0) return 0;
  return Date.parse(stringAt(readyCondition(pod), "lastTransitionTime")) + minReadySeconds * 1000;
}

/** How many pods are available now, and when the next one will be; undefined when waiting brings none. */
export function countAvailable(
  pods: readonly UnstructuredObject[],
  minReadySeconds: number,
  nowMs: number,
): { readonly available: number; readonly nextMs: number | undefined } {
  const times = pods.map((pod) => availableAt(pod, minReadySeconds));
  const nextMs = Math.min(...times.filter((time) => time > nowMs));
  return { available: times.filter((time) => time <= nowMs).length, nextMs: nextMs === Infinity ? undefined : nextMs };
}
