import { LandscaperError } from "@landscaper/api";
import type { Clock, Result } from "@landscaper/controller-runtime";
import type { AwaitedObjects } from "@landscaper/resources";
import { minPauseMs, notAfter, pauseFor, progressIntervalMs, reasonIntervalMs, type PassSubject } from "./job-pause.ts";
import type { JobMemory, Refusals } from "./job-registry.ts";
import { isFinalFailure, pollDelayMs, restDelayMs, retryDelayMs } from "./retry-policy.ts";
import type { RunResult } from "./run-deployer.ts";
import { JobLostError } from "./reporting/status-writer.ts";
import { targetSecretMissing } from "../target/target-content.ts";

/** A job, or a run between jobs, at the end of a pass. */
export interface PassEnd {
  readonly memory: JobMemory;
  readonly subject: PassSubject;
  readonly deadline: number | undefined;
  readonly clock: Pick<Clock, "elapsed">;
  /** How long the Secret of the Target is waited for, in ms. */
  readonly targetWaitMs: number;
  readonly random: () => number;
}

/** What becomes of it: it is done, goes on waiting or trying, or ends because it failed or its time is over. */
export type Settlement =
  | { readonly type: "done"; readonly result: RunResult & { readonly type: "done" } }
  | { readonly type: "wait"; readonly result: RunResult & { readonly type: "waiting" } }
  | { readonly type: "retry"; readonly result: RunResult & { readonly type: "failed" } }
  | { readonly type: "failed"; readonly result: RunResult & { readonly type: "failed" } }
  | { readonly type: "late"; readonly result: RunResult & { readonly type: "waiting" | "failed" } };

/** What is refused is tried so often at least, and for so long (ms): what it depends on may come. */
const refusals = { count: 3, spanMs: 30_000 };

/** Throws JobLostError when the pass has found that the job is somebody else's. */
export function settle(result: RunResult, end: PassEnd): Settlement {
  const { deadline, clock } = end;
  const isLate = deadline !== undefined && clock.elapsed() >= deadline;
  switch (result.type) {
    case "done":
      return { type: "done", result };
    case "waiting":
      return isLate ? { type: "late", result } : { type: "wait", result };
    case "failed":
      if (result.error instanceof JobLostError) throw result.error;
      if (isFinalFailure(result.error)) return { type: "failed", result };
      if (isRefusedForGood(result.error, end)) return { type: "failed", result: asFinal(result) };
      return result.isCancelled || isLate ? { type: "late", result } : { type: "retry", result };
  }
}

/** Counts refusals in a row. */
function isRefusedForGood(error: unknown, end: PassEnd): boolean {
  const { memory, clock } = end;
  if (!isRefusal(error)) {
    memory.refusals = undefined;
    return false;
  }
  const elapsedMs = clock.elapsed();
  const isOfSecret = error.reason === targetSecretMissing;
  // A refusal of the other kind starts its own time.
  const known = memory.refusals?.isOfSecret === isOfSecret ? memory.refusals : undefined;
  const { count, sinceMs } = known ?? { count: 0, sinceMs: elapsedMs };
  memory.refusals = { count: count + 1, sinceMs, isOfSecret };
  const spanMs = spanOf(memory.refusals, end);
  return (spanMs === 0 || memory.refusals.count >= refusals.count) && elapsedMs - sinceMs >= spanMs;
}

/** How long refusals of one kind are tried, in ms. */
function spanOf({ isOfSecret }: Refusals, { targetWaitMs }: PassEnd): number {
  return isOfSecret ? targetWaitMs : refusals.spanMs;
}

function isRefusal(error: unknown): error is LandscaperError {
  return error instanceof LandscaperError && error.retry === "briefly";
}

function asFinal<T extends RunResult & { readonly type: "failed" }>(result: T): T {
  if (!isRefusal(result.error)) return result;
  const { codes } = result.error;
  return { ...result, error: result.error.with({ codes: [...codes, "ERR_CONFIGURATION_PROBLEM"], retry: "never" }) };
}

/** Counts a pass that only waits; true when it is time to say in the status what for. */
export function noteWait({ memory, clock }: PassEnd, isNewsworthy: boolean): boolean {
  const elapsedMs = clock.elapsed();
  memory.failures = 0;
  memory.refusals = undefined;
  memory.waits++;
  const intervalMs = isReasonOld(memory) ? reasonIntervalMs : progressIntervalMs;
  if (!isNewsworthy && elapsedMs - (memory.progressWrittenAt ?? -Infinity) < intervalMs) return false;
  memory.progressWrittenAt = elapsedMs;
  memory.toldReason = memory.waitingFor;
  return true;
}

/** Whether the status says something else than what the job waits for. */
function isReasonOld({ waitingFor, toldReason }: JobMemory): boolean {
  return waitingFor !== toldReason;
}

/** The next pass: when watches tell something, else rarely; often where they cannot. Never later than the deadline. */
export function pauseToWait({ wakeOn, requeueAfterMs }: RunResult & { type: "waiting" }, end: PassEnd): Result {
  const { memory, subject, deadline, clock } = end;
  const watchedMs = watchedDelayMs(wakeOn ?? [], end);
  const delayMs =
    wakeOn === undefined ? (requeueAfterMs ?? watchedMs) : Math.min(requeueAfterMs ?? watchedMs, watchedMs);
  const elapsedMs = clock.elapsed();
  // A reason that could not be written yet is written by the next pass.
  const reasonMs = isReasonOld(memory)
    ? (memory.progressWrittenAt ?? elapsedMs) + reasonIntervalMs - elapsedMs
    : Infinity;
  const pauseMs = notAfter(deadline, { elapsedMs, delayMs: Math.min(delayMs, Math.max(minPauseMs, reasonMs)) });
  return pauseFor(memory, subject, { elapsedMs, delayMs: pauseMs, isAfterFailure: false });
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
  const elapsedMs = clock.elapsed();
  memory.failures++;
  const wantedMs = retryDelayMs(memory.failures, error, random);
  // The last try of what is refused comes when its time is over, not long after.
  const lastMs = memory.refusals === undefined ? 0 : memory.refusals.sinceMs + spanOf(memory.refusals, end) - elapsedMs;
  const delayMs = notAfter(deadline, { elapsedMs, delayMs: lastMs > 0 ? Math.min(wantedMs, lastMs) : wantedMs });
  return pauseFor(memory, subject, { elapsedMs, delayMs });
}
