import type { LeaseContext } from "./leader-election.ts";
import type { ObservedLease } from "./lease-decision.ts";

/** Number of its own lease durations after which a candidate reports its wait. A candidate replaces a dead holder earlier. */
const reportedDurations = 3;

/** A wait for a Lease that another process holds. */
export interface LongWait {
  readonly leaseName: string;
  /** `spec.holderIdentity` of the Lease. */
  readonly holder: string;
  /** Time that the candidate has waited so far, in ms. */
  readonly waitedMs: number;
}

/** Returns the wait as a line of `/readyz?verbose`. */
export function describeWait({ leaseName, holder, waitedMs }: LongWait): string {
  return `waits for the Lease ${leaseName}: ${JSON.stringify(holder)} still held it after ${Math.round(waitedMs / 1000)} s`;
}

/** Watches how long a candidate waits (docs/guide/operations.md#a-candidate-that-waits). */
export interface WaitWatch {
  /** Call it when the Lease has been read and another process holds it. */
  observe(held: ObservedLease): void;
  /** Call it when the candidate has acquired the Lease or has stopped. */
  end(): void;
}

/** Reports each holder once, as soon as the candidate has waited for three of its own durations. */
export function watchWait(context: LeaseContext): WaitWatch {
  const { clock, leaseDurationMs, leaseName, log, onLongWait } = context;
  const limitMs = leaseDurationMs * reportedDurations;
  let sinceMs: number | undefined;
  let latest: ObservedLease | undefined;
  let reported: string | undefined;
  let cancelTimer = (): void => {};
  const report = (): void => {
    const holder = latest?.lease.spec?.holderIdentity ?? "";
    if (sinceMs === undefined || latest === undefined || holder === reported) return;
    const waitedMs = clock.elapsed() - sinceMs;
    if (waitedMs < limitMs) return;
    reported = holder;
    const fields = { lease: leaseName, holder, waitedSeconds: Math.round(waitedMs / 1000) };
    // Not a problem: a standby waits as long as the leader renews its Lease.
    if (latest.observedMs > sinceMs) log.info(fields, "waiting for a Lease that its holder renews");
    else log.warn(fields, "waiting for a Lease that its holder has not renewed");
    onLongWait?.({ leaseName, holder, waitedMs });
  };
  return {
    observe: (held) => {
      latest = held;
      if (sinceMs === undefined) {
        sinceMs = clock.elapsed();
        cancelTimer = clock.schedule(limitMs, report);
      }
      report();
    },
    end: () => {
      cancelTimer();
      if (reported !== undefined) onLongWait?.(undefined);
    },
  };
}
