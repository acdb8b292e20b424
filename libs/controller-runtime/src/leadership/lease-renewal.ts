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
  /** Judged by the time alone, for moments when timers are late: a stopped or starved process wakes up without its rights. */
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

/** A time on both clocks. */
interface Moment {
  readonly nowMs: number;
  readonly elapsedMs: number;
}

export function momentOf(clock: Clock): Moment {
  return { nowMs: clock.now(), elapsedMs: clock.elapsed() };
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
  const armDeadline = (): void => {
    cancelDeadline();
    const remainingMs = held.renewed.elapsedMs + deadlineAfterMs - clock.elapsed();
    cancelDeadline = clock.schedule(remainingMs, () =>
      lost.abort(new LeadershipLostError(leaseName, `not renewed for ${Math.round(deadlineAfterMs / 100) / 10} s`)),
    );
  };
  armDeadline();
  const renewing = renewUntilAborted(context, {
    held: () => held,
    onRenewed: (renewed) => {
      held = renewed;
      armDeadline();
    },
    onTaken: (holder) => lost.abort(new LeadershipLostError(leaseName, `${holder} holds it`)),
    signal: AbortSignal.any([lost.signal, released.signal]),
  });
  return {
    lost: lost.signal,
    isValid: () => {
      const { nowMs, elapsedMs } = held.renewed;
      // One clock can be set back, the other stands still while the machine sleeps.
      const isFresh = clock.elapsed() < elapsedMs + deadlineAfterMs && clock.now() < nowMs + deadlineAfterMs;
      return isFresh && !lost.signal.aborted;
    },
    release: async () => {
      cancelDeadline();
      released.abort(new Error("the lease is given up"));
      await renewing;
      if (!lost.signal.aborted) await giveUp(context, held.lease);
    },
  };
}

interface Renewal {
  readonly held: () => Held;
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
    if (renewal.signal.aborted) return;
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
async function renewOnce(context: LeaseContext, { held, onRenewed, onTaken, signal }: Renewal): Promise<boolean> {
  const { client, clock, identity, leaseDurationMs } = context;
  const renewed = momentOf(clock);
  const { lease } = held();
  const claim = { identity, durationMs: leaseDurationMs, nowMs: renewed.nowMs, isNewHolder: false };
  try {
    const claimed = { ...lease, spec: claimSpec(lease.spec, claim) };
    onRenewed({ lease: await client.update(kubeResources.lease, claimed, { signal }), renewed });
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
