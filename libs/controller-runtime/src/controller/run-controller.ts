import { isFault, type ObjectKey } from "@landscaper/api";
import { ConnectionError, isConflict } from "../client/api-error.ts";
import type { Clock, Logger, Reconcile, WorkSlot } from "../controller-interface.ts";
import { createDeferred } from "../deferred.ts";
import { describeError } from "../describe-error.ts";
import { textMember } from "../error-members.ts";
import { LeadershipLostError } from "../leadership/lease-renewal.ts";
import type { ReconcileSample, RuntimeMetrics } from "../observability/metrics-interface.ts";
import type { FairShares } from "./fair-shares.ts";
import { parseKey } from "./parse-key.ts";
import type { WorkQueue } from "./work-queue.ts";

export interface ControllerContext {
  readonly name: string;
  readonly queue: WorkQueue;
  readonly reconcile: Reconcile;
  readonly shares: FairShares;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: RuntimeMetrics;
  readonly workers: number;
  /** URL of the API server that the manager itself lives on. */
  readonly server: string;
  /** How long running work may go on after the stop, in ms; then its signal is aborted. */
  readonly gracefulStopMs: number;
}

/** Longest backoff (ms) while our own API server is away. */
const awayBackoffMs = 5_000;
/** Work without a pause (ms) after which timers and sockets get their turn. */
const breathMs = 20;

/** Time (ms) that aborted work gets to notice it. */
const abortPatienceMs = 5_000;

export interface StopSignals {
  /** Take no more keys, let the running ones end. */
  readonly graceful: AbortSignal;
  /** Running work has to end now: the right to write is lost. */
  readonly hard: AbortSignal;
}

/** Works the queue until it is told to stop; never rejects. */
export async function runController(context: ControllerContext, stop: StopSignals): Promise<void> {
  const { queue, clock, log } = context;
  const abort = new AbortController();
  const onHard = (): void => abort.abort(stop.hard.reason);
  stop.hard.addEventListener("abort", onHard, { once: true });
  if (stop.hard.aborted) onHard();
  const workers = Array.from({ length: context.workers }, () => work(context, abort.signal));
  await aborted(stop.graceful, stop.hard);
  const drained = Promise.all([queue.stop(), ...workers]);
  const cancelGrace = clock.schedule(context.gracefulStopMs, () => abort.abort(new Error("the time to stop is over")));
  let cancelPatience = (): void => {};
  const gaveUp = new Promise<"gave up">((resolve) => {
    const arm = (): void => {
      cancelPatience = clock.schedule(abortPatienceMs, () => resolve("gave up"));
    };
    if (abort.signal.aborted) arm();
    else abort.signal.addEventListener("abort", arm, { once: true });
  });
  if ((await Promise.race([drained, gaveUp])) === "gave up") {
    log.error({ controller: context.name }, "work did not end in time and is left behind");
  }
  cancelGrace();
  cancelPatience();
  stop.hard.removeEventListener("abort", onHard);
}

function aborted(...signals: readonly AbortSignal[]): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of signals) {
      if (signal.aborted) resolve();
      else signal.addEventListener("abort", () => resolve(), { once: true });
    }
  });
}

async function work(context: ControllerContext, signal: AbortSignal): Promise<void> {
  const { queue } = context;
  let lastBreathMs = performance.now();
  for (let key = await queue.take(); key !== undefined; key = await queue.take()) {
    await occupyWorker(context, key, signal);
    // Reconciles that need no I/O only wait for promises, and would keep leases and probes waiting as long as there are keys.
    if (performance.now() - lastBreathMs < breathMs) continue;
    await new Promise((resolve) => setImmediate(resolve));
    lastBreathMs = performance.now();
  }
}

/** Resolves when the worker is free: the work has ended, or goes on with a share. */
function occupyWorker(context: ControllerContext, key: string, signal: AbortSignal): Promise<void> {
  const { queue, shares } = context;
  const free = createDeferred<void>();
  let isWaiting = false;
  const slot: WorkSlot = {
    takeShare: (claim) => {
      isWaiting = !shares.enter(key, claim);
      if (!isWaiting) free.resolve();
      return !isWaiting;
    },
    forceShare: (claim) => {
      isWaiting = false;
      shares.force(key, claim);
      free.resolve();
    },
  };
  const work = async (): Promise<void> => {
    await reconcileKey(context, { text: key, slot }, signal);
    if (!isWaiting) shares.leave(key);
    queue.done(key);
    free.resolve();
  };
  void work();
  return free.promise;
}

interface Work {
  /** The key. */
  readonly text: string;
  readonly slot: WorkSlot;
}

/** Never rejects: whatever the reconciler throws becomes a log line and a later try. */
async function reconcileKey(context: ControllerContext, work: Work, signal: AbortSignal): Promise<void> {
  const { clock, metrics, name } = context;
  const startedMs = clock.elapsed();
  const result = await attempt(context, work, signal);
  metrics.observeReconcile({ controller: name, result, durationMs: clock.elapsed() - startedMs });
}

async function attempt(
  context: ControllerContext,
  { text, slot }: Work,
  signal: AbortSignal,
): Promise<ReconcileSample["result"]> {
  const { queue, reconcile } = context;
  try {
    const key: ObjectKey = parseKey(text);
    const result = await reconcile(key, signal, slot);
    queue.forget(text);
    if (result?.requeueAfterMs === undefined) return "success";
    queue.addAfter(text, result.requeueAfterMs);
    return "requeue";
  } catch (error) {
    if (!signal.aborted && !(error instanceof LeadershipLostError)) return takeFailure(context, text, error);
    // Why the process ends is said once, by whoever ends it.
    context.log.debug({ controller: context.name, object: text }, "the reconciliation was cut off: the process ends");
    return "error";
  }
}

function takeFailure(
  { queue, log, name, server }: ControllerContext,
  text: string,
  error: unknown,
): ReconcileSample["result"] {
  const fields = { controller: name, object: text, error: describeError(error) };
  if (isFinal(error)) {
    queue.forget(text);
    log.error(fields, "the reconciliation failed for good and waits for a change");
    return "dropped";
  }
  const delayMs = queue.addFailed(text, isAway(error, server) ? awayBackoffMs : undefined);
  if (isConflict(error)) {
    log.debug({ ...fields, delayMs }, "a write lost its race; the object is read again");
    return "conflict";
  }
  // A fault of ours is in the log at every level.
  const level = isFault(error) ? "error" : "warn";
  log[level]({ ...fields, delayMs, failures: queue.failures(text) }, "the reconciliation failed and is tried again");
  return "error";
}

/**
 * Whether our own API server did not answer. That says nothing about the key, and ends for all keys at the same time: they shall
 * not wait for minutes when it is back.
 */
function isAway(error: unknown, server: string): boolean {
  for (let current = error; current instanceof Error; current = current.cause) {
    if (current instanceof ConnectionError && current.server === server) return true;
  }
  return false;
}

/** LandscaperError says whether trying again makes sense. */
function isFinal(error: unknown): boolean {
  return textMember(error, "retry") === "never";
}
