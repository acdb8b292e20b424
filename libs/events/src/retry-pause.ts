import type { EventClock } from "./publisher-environment.ts";

/** Pauses between failed attempts: exponential, half of each random. */
export interface RetryPause {
  /** Failures since the last reset. */
  readonly streak: number;
  fail(): void;
  reset(): void;
  wait(): Promise<void>;
  /** Ends the running wait, and makes all later ones end at once. */
  cut(): void;
}

const baseMs = 500;
const maxMs = 30_000;

export function createRetryPause(clock: Pick<EventClock, "schedule">, random: () => number): RetryPause {
  let streak = 0;
  let isCut = false;
  let endWait = (): void => {};
  return {
    get streak() {
      return streak;
    },
    fail: () => {
      streak++;
    },
    reset: () => {
      streak = 0;
    },
    wait: () => {
      if (isCut) return Promise.resolve();
      const full = Math.min(maxMs, baseMs * 2 ** Math.min(streak - 1, 20));
      return new Promise((resolve) => {
        const cancel = clock.schedule(full / 2 + (full / 2) * random(), resolve);
        endWait = () => {
          cancel();
          resolve();
        };
      });
    },
    cut: () => {
      isCut = true;
      endWait();
    },
  };
}
