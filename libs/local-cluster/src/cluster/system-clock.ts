import type { ClusterClock } from "./local-cluster.ts";

/** A timer of Node that is set for longer fires at once. */
const longestMs = 2 ** 31 - 1;

/** The machine's clock; its timers do not keep the process alive. */
export function createSystemClock(): ClusterClock {
  return {
    now: () => Date.now(),
    schedule: (ms, callback) => {
      let timer = start(ms);
      function start(leftMs: number): NodeJS.Timeout {
        const isLast = leftMs <= longestMs;
        const next = (): void => void (timer = start(leftMs - longestMs));
        const started = setTimeout(isLast ? callback : next, Math.min(leftMs, longestMs));
        started.unref();
        return started;
      }
      return () => clearTimeout(timer);
    },
  };
}
