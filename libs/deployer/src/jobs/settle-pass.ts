import type { Clock, Result } from "@landscaper/controller-runtime";
import type { AwaitedObjects } from "@landscaper/resources";
import { minPauseMs, notAfter, pauseFor, progressIntervalMs, type PassSubject } from "./job-pause.ts";
import type { JobMemory } from "./job-registry.ts";
import { isFinalFailure, pollDelayMs, restDelayMs, retryDelayMs } from "./retry-policy.ts";
import type { RunResult } from "./run-deployer.ts";
import { JobLostError } from "./status-writer.ts";

/** A job, or a run between jobs, at the end of a pass. */
export interface PassEnd {
  readonly memory: JobMemory;
  readonly subject: PassSubject;
  readonly deadline: number | undefined;
  readonly clock: Pick<Clock, "now">;
  readonly random: () => number;
}

/** What becomes of it: it is done, goes on waiting or trying, or ends because it failed or its time is over. */
export type Settlement =
  | { readonly type: "done"; readonly result: RunResult & { readonly type: "done" } }
  | { readonly type: "wait"; readonly result: RunResult & { readonly type: "waiting" } }
  | { readonly type: "retry"; readonly result: RunResult & { readonly type: "failed" } }
  | { readonly type: "failed"; readonly result: RunResult & { readonly type: "failed" } }
  | { readonly type: "late"; readonly result: RunResult & { readonly type: "waiting" | "failed" } };

/** Throws JobLostError when the pass has found that the job is somebody else's. */
export function settle(result: RunResult, { deadline, clock }: PassEnd): Settlement {
  const isLate = deadline !== undefined && clock.now() >= deadline;
  switch (result.type) {
    case "done":
      return { type: "done", result };
    case "waiting":
      return isLate ? { type: "late", result } : { type: "wait", result };
    case "failed":
      if (result.error instanceof JobLostError) throw result.error;
      if (isFinalFailure(result.error)) return { type: "failed", result };
      return result.isCancelled || isLate ? { type: "late", result } : { type: "retry", result };
  }
}

/** Counts a pass that only waits; true when it is time to say in the status what for. */
export function noteWait({ memory, clock }: PassEnd, isNewsworthy: boolean): boolean {
  const now = clock.now();
  memory.failures = 0;
  memory.waits++;
  if (!isNewsworthy && now - (memory.progressWrittenAt ?? 0) < progressIntervalMs) return false;
  memory.progressWrittenAt = now;
  return true;
}

/** The next pass: when watches tell something, else rarely; often where they cannot. Never later than the deadline. */
export function pauseToWait({ wakeOn, requeueAfterMs }: RunResult & { type: "waiting" }, end: PassEnd): Result {
  const { memory, subject, deadline, clock } = end;
  const watchedMs = watchedDelayMs(wakeOn ?? [], end);
  const delayMs =
    wakeOn === undefined ? (requeueAfterMs ?? watchedMs) : Math.min(requeueAfterMs ?? watchedMs, watchedMs);
  const now = clock.now();
  return pauseFor(memory, subject, { now, delayMs: notAfter(deadline, { now, delayMs }), isAfterFailure: false });
}

function watchedDelayMs(wakeOn: readonly AwaitedObjects[], { memory, random }: PassEnd): number {
  switch (memory.wakeUps.waitFor(wakeOn)) {
    case "covered":
      return restDelayMs(random);
    case "fresh":
      return minPauseMs;
    case "uncovered":
      return pollDelayMs(memory.waits);
  }
}

/** The next attempt, after a pause that grows with the failures in a row. Never later than the deadline. */
export function pauseToRetry({ error }: RunResult & { type: "failed" }, end: PassEnd): Result {
  const { memory, subject, deadline, clock, random } = end;
  const now = clock.now();
  memory.failures++;
  const delayMs = notAfter(deadline, { now, delayMs: retryDelayMs(memory.failures, error, random) });
  return pauseFor(memory, subject, { now, delayMs });
}
