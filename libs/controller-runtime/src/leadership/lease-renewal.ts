import { kubeResources } from "@landscaper/api";
import type { Lease } from "@landscaper/api";
import { isConflict, isNotFound } from "../client/api-error.ts";
import { describeError } from "../describe-error.ts";
import { claimSpec, releaseSpec } from "./lease-decision.ts";
import type { Clock } from "../controller-interface.ts";
import type { LeaseContext } from "./leader-election.ts";
import { withTimeLimit } from "./time-limit.ts";

/** The right to act that a held lease gives. */
export interface Leadership {
  /** Aborted (LeadershipLostError) before others may think that the lease has expired. */
  readonly lost: AbortSignal;
  /**
   * Judged by the time alone, for moments when timers are late: a stopped or starved process wakes up without its rights. The first
   * call that finds the time to be over aborts `lost`, so that the process ends although no timer has run yet.
   */
  isValid(): boolean;
  /** Gives the lease up, so that another one can take it at once. Never rejects. */
  release(): Promise<void>;
}

export class LeadershipLostError extends Error {
  override readonly name = "LeadershipLostError";

  constructor(leaseName: string, why: string) {
    super(`the lease ${leaseName} is lost: ${why}`);
  }
}

/** A time on both clocks that nobody sets. */
interface Moment {
  readonly elapsedMs: number;
  readonly uptimeMs: number;
}

export function momentOf(clock: Clock): Moment {
  return { elapsedMs: clock.elapsed(), uptimeMs: clock.uptime() };
}

interface Held {
  readonly lease: Lease;
  /** When the request of the last successful renewal was sent: the lease runs from then, at the latest. */
  readonly renewed: Moment;
}

/** Time limit (ms) of giving a lease up; after that it expires by itself. */
const releaseTimeoutMs = 3_000;

/** Renews a lease that was just taken every fifth of its duration; gives up after two thirds without success. */
export function keepLease(context: LeaseContext, taken: Held): Leadership {
  const { clock, leaseDurationMs, leaseName } = context;
  const deadlineAfterMs = (leaseDurationMs * 2) / 3;
  const lost = new AbortController();
  const released = new AbortController();
  let held = taken;
  let cancelDeadline = (): void => {};
  const lose = (why: string): void => lost.abort(new LeadershipLostError(leaseName, why));
  const isValid = (): boolean => {
    const sinceMs = sinceRenewal(held.renewed, momentOf(clock));
    if (sinceMs >= deadlineAfterMs) lose(describeExpiry(sinceMs, leaseDurationMs));
    return !lost.signal.aborted;
  };
  const armDeadline = (): void => {
    cancelDeadline();
    if (isValid()) cancelDeadline = clock.schedule(held.renewed.elapsedMs + deadlineAfterMs - clock.elapsed(), isValid);
  };
  armDeadline();
  const renewing = renewUntilAborted(context, {
    held: () => held,
    isValid,
    onRenewed: (renewed) => {
      held = renewed;
      armDeadline();
    },
    onTaken: (holder) => lose(`${holder} holds it`),
    signal: AbortSignal.any([lost.signal, released.signal]),
  });
  return {
    lost: lost.signal,
    isValid,
    release: async () => {
      cancelDeadline();
      released.abort(new Error("the lease is given up"));
      await renewing;
      if (!lost.signal.aborted) await giveUp(context, held.lease);
    },
  };
}

/**
 * Time (ms) since the last renewal, by the clock that counts more: the monotonic clock of the process stands still while the machine is
 * suspended, and the uptime has a resolution of 10 ms.
 */
function sinceRenewal(renewed: Moment, now: Moment): number {
  return Math.max(now.elapsedMs - renewed.elapsedMs, now.uptimeMs - renewed.uptimeMs);
}

function describeExpiry(sinceMs: number, leaseDurationMs: number): string {
  const text = `not renewed for ${Math.round(sinceMs / 100) / 10} s`;
  return sinceMs < leaseDurationMs ? text : `${text}; the process or its machine stood still`;
}

interface Renewal {
  readonly held: () => Held;
  /** Loses the lease when its time is over. */
  readonly isValid: () => boolean;
  readonly onRenewed: (held: Held) => void;
  readonly onTaken: (holder: string) => void;
  readonly signal: AbortSignal;
}

async function renewUntilAborted(context: LeaseContext, renewal: Renewal): Promise<void> {
  const { clock, leaseDurationMs, random, log, leaseName } = context;
  const renewEveryMs = leaseDurationMs / 5;
  let delayMs = renewEveryMs;
  while (!renewal.signal.aborted) {
    await clock.sleep(delayMs, renewal.signal).catch(() => {});
    // A process that stood still must not renew what others have taken for dead.
    if (renewal.signal.aborted || !renewal.isValid()) return;
    try {
      // Without a limit, one connection that has gone silent would cost the leadership.
      const limit = { clock, limitMs: renewEveryMs, signal: renewal.signal };
      const isRenewed = await withTimeLimit(limit, ({ signal }) => renewOnce(context, { ...renewal, signal }));
      delayMs = isRenewed ? renewEveryMs : 0;
    } catch (error) {
      if (renewal.signal.aborted) return;
      log.warn({ lease: leaseName, error: describeError(error) }, "the lease could not be renewed; trying again");
      delayMs = (renewEveryMs / 6) * (1 + random());
    }
  }
}

/** False when it has to be tried again at once, from a newer version of the lease. */
async function renewOnce(context: LeaseContext, renewal: Renewal): Promise<boolean> {
  const { client, clock, identity, leaseDurationMs } = context;
  const { held, isValid, onRenewed, onTaken, signal } = renewal;
  const renewed = momentOf(clock);
  const { lease } = held();
  const claim = { identity, durationMs: leaseDurationMs, nowMs: clock.now(), isNewHolder: false };
  try {
    const claimed = { ...lease, spec: claimSpec(lease.spec, claim) };
    const beforeSend = (): void => {
      if (!isValid()) signal.throwIfAborted();
    };
    onRenewed({ lease: await client.update(kubeResources.lease, claimed, { signal, beforeSend }), renewed });
    return true;
  } catch (error) {
    if (!isConflict(error) && !isNotFound(error)) throw error;
    const current = await readHolder(context, signal);
    if (current?.spec?.holderIdentity !== identity) onTaken(current?.spec?.holderIdentity ?? "nobody");
    // Still ours: the answer of a renewal was lost, or somebody has touched the labels.
    else onRenewed({ lease: current, renewed: held().renewed });
    return false;
  }
}

function readHolder({ client, namespace, leaseName }: LeaseContext, signal: AbortSignal): Promise<Lease | undefined> {
  return client.find(kubeResources.lease, { namespace, name: leaseName }, { signal });
}

async function giveUp(context: LeaseContext, lease: Lease): Promise<void> {
  const { client, clock, log, leaseName } = context;
  const write = (current: Lease, signal: AbortSignal): Promise<Lease> => {
    const released = { ...current, spec: releaseSpec(current.spec, clock.now()) };
    return client.update(kubeResources.lease, released, { signal });
  };
  try {
    await withTimeLimit({ clock, limitMs: releaseTimeoutMs }, async ({ signal }) => {
      await write(lease, signal).catch(async (error: unknown) => {
        if (!isConflict(error)) throw error;
        // A renewal that was cut off has reached the server.
        const current = await readHolder(context, signal);
        if (current?.spec?.holderIdentity === context.identity) await write(current, signal);
      });
    });
    log.info({ lease: leaseName }, "the lease is given up");
  } catch (error) {
    log.warn({ lease: leaseName, error: describeError(error) }, "the lease could not be given up and will expire");
  }
}
