import type { ClusterClock } from "../src/cluster/local-cluster.ts";

export interface ManualClock extends ClusterClock {
  /** Lets time pass, and runs the timers that are due then. */
  advance(ms: number): void;
}

/** A clock whose timers run when the test says so. */
export function createManualClock(): ManualClock {
  let now = Date.parse("2026-01-01T00:00:00Z");
  const timers = new Set<{ at: number; run: () => void }>();
  return {
    now: () => now,
    schedule: (ms, run) => {
      const timer = { at: now + ms, run };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    advance: (ms) => {
      now += ms;
      for (const timer of timers) {
        if (timer.at > now) continue;
        timers.delete(timer);
        timer.run();
      }
    },
  };
}
