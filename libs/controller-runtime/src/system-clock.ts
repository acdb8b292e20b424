import { uptime } from "node:os";
import type { Clock } from "./controller-interface.ts";

/** Longest delay that the platform's timers take; longer ones fire at once, so they are cut into pieces. */
const maxTimerMs = 2_147_483_647;

/** The real time. Timers do not keep the process alive longer than its other work does. */
export function createSystemClock(): Clock {
  return {
    now: () => Date.now(),
    elapsed: () => performance.now(),
    uptime: () => uptime() * 1000,
    schedule: scheduleTimer,
    sleep: (ms, signal) => sleepWith(scheduleTimer, ms, signal),
  };
}

function scheduleTimer(ms: number, callback: () => void): () => void {
  let timer: NodeJS.Timeout;
  const arm = (remaining: number): void => {
    const piece = Math.min(remaining, maxTimerMs);
    timer = setTimeout(() => (remaining > piece ? arm(remaining - piece) : callback()), piece);
  };
  arm(Math.max(0, ms));
  return () => clearTimeout(timer);
}

/** The `sleep` of a clock, made from its `schedule`. */
export function sleepWith(schedule: Clock["schedule"], ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(signal.reason);
      return;
    }
    const onAbort = (): void => {
      cancel();
      reject(signal?.reason);
    };
    const cancel = schedule(ms, () => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    });
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}
