import type { ClusterClock } from "./local-cluster.ts";

/** The machine's clock; its timers do not keep the process alive. */
export function createSystemClock(): ClusterClock {
  return {
    now: () => Date.now(),
    schedule: (ms, callback) => {
      const timer = setTimeout(callback, ms);
      timer.unref();
      return () => clearTimeout(timer);
    },
  };
}
