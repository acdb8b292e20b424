import type { LeaseContext } from "./leader-election.ts";
import type { ObservedLease } from "./lease-decision.ts";

/** A candidate reports its wait after this many of its own lease durations. A dead holder is replaced before that. */
const reportedDurations = 3;

/** A wait for a Lease that another process holds. */
export interface LongWait {
  readonly leaseName: string;
  /** `spec.holderIdentity` of the Lease. */
  readonly holder: string;
  /** Time that the candidate has waited so far, in ms. */
  readonly waitedMs: number;
}

/** A line of `/readyz?verbose`. */
export function describeWait({ leaseName, holder, waitedMs }: LongWait): string {
  return `waits for the Lease ${leaseName}: ${JSON.stringify(holder)} held it after ${Math.round(waitedMs / 1000)} s`;
}

/** Watches how long a candidate waits (docs/guide/operations.md#a-candidate-that-waits). */
export interface WaitWatch {
  /** Another process held the Lease when it was last read. */
  observe(held: ObservedLease): void;
  /** The candidate holds the Lease, or has stopped. */
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
    // A standby waits as long as the leader renews its Lease.
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
