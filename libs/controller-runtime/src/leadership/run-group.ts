import type { Logger, Clock } from "../controller-interface.ts";
import { describeError } from "../describe-error.ts";
import { acquireLeadership } from "./leader-election.ts";
import type { LeaseContext } from "./leader-election.ts";
import type { RuntimeMetrics } from "../observability/metrics-interface.ts";
import type { Leadership } from "./lease-renewal.ts";
import type { StopSignals } from "../controller/run-controller.ts";
import type { LeadershipGate } from "./write-gate.ts";

export interface Runnable {
  readonly name: string;
  readonly run: (signal: AbortSignal) => Promise<void>;
  readonly needsLeader: boolean;
  readonly group?: string | undefined;
}

/** Controllers and runnables that lead together. */
export interface Group {
  readonly controllers: readonly ((stop: StopSignals) => Promise<void>)[];
  readonly runnables: readonly Runnable[];
  /** Absent: no election, the work starts at once. */
  readonly lease?: LeaseContext | undefined;
}

export interface GroupContext {
  readonly gate: LeadershipGate;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: RuntimeMetrics;
}

const runnablePauseMs = 5_000;

/**
 * Runs a group until `stop` is aborted, as soon and as long as it leads. Rejects with LeadershipLostError when it does not any more;
 * after a stop the lease is given up when all work has ended, not before.
 */
export async function runGroup(context: GroupContext, group: Group, stop: AbortSignal): Promise<void> {
  const { lease } = group;
  const tell = (isLeader: boolean): void => {
    if (lease !== undefined) context.metrics.observeLeader(lease.leaseName, isLeader);
  };
  tell(false);
  const leadership = lease === undefined ? undefined : await acquireUnlessStopped(lease, stop);
  if (stop.aborted) {
    await leadership?.release();
    return;
  }
  if (leadership !== undefined) context.gate.enter(leadership);
  tell(true);
  const hard = leadership?.lost ?? new AbortController().signal;
  const either = AbortSignal.any([stop, hard]);
  await Promise.all([
    untilAborted(either),
    ...group.controllers.map((run) => run({ graceful: stop, hard })),
    ...group.runnables.map((runnable) => runBeside(context, runnable, either)),
  ]);
  tell(false);
  if (hard.aborted) throw hard.reason;
  await leadership?.release();
}

async function acquireUnlessStopped(lease: LeaseContext, stop: AbortSignal): Promise<Leadership | undefined> {
  try {
    return await acquireLeadership(lease, stop);
  } catch (error) {
    if (stop.aborted) return undefined;
    throw error;
  }
}

/** A runnable that fails is started again, with a pause: nothing else would. */
async function runBeside({ log, clock }: GroupContext, { name, run }: Runnable, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      return await run(signal);
    } catch (error) {
      if (signal.aborted) return;
      log.error({ runnable: name, error: describeError(error) }, "a runnable failed and is started again");
      await clock.sleep(runnablePauseMs, signal).catch(() => {});
    }
  }
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
