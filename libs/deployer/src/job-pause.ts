import type { DeployItem } from "@landscaper/api";
import type { Result } from "@landscaper/controller-runtime";
import type { ObservedTarget } from "./decide-job.ts";
import type { JobMemory } from "./job-registry.ts";

/** While a job only waits, its status is not written more often than this (ms). */
export const progressIntervalMs = 10_000;

/** What a pass looks at. */
export interface PassSubject {
  readonly item: DeployItem;
  readonly target: ObservedTarget;
}

/** What makes a pass worth while before the time: a new spec or target, not a new status. */
function causeOf({ item, target }: PassSubject): string {
  const version = target.state === "found" ? target.target.metadata.resourceVersion : target.state;
  return `${item.metadata.generation} ${version}`;
}

/** How long the job pauses still, in ms; 0 when there is a reason to go on. */
export function remainingPauseMs({ pause }: JobMemory, subject: PassSubject, now: number): number {
  return pause === undefined || pause.cause !== causeOf(subject) ? 0 : Math.max(0, pause.until - now);
}

/** No pass before that, unless item or target change. */
export function pauseFor(memory: JobMemory, subject: PassSubject, times: { now: number; delayMs: number }): Result {
  memory.pause = { until: times.now + times.delayMs, cause: causeOf(subject) };
  return { requeueAfterMs: times.delayMs };
}

/** The delay, cut where the job is over. */
export function notAfter(deadline: number | undefined, { now, delayMs }: { now: number; delayMs: number }): number {
  return deadline === undefined ? delayMs : Math.max(0, Math.min(delayMs, deadline - now));
}
