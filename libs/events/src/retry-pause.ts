import { backoffDelayMs, type Backoff, type Clock, type Random } from "@landscaper/controller-runtime";

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

const backoff: Backoff = { baseMs: 500, maxMs: 30_000 };

export function createRetryPause(clock: Pick<Clock, "schedule">, random: Random): RetryPause {
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
      return new Promise((resolve) => {
        const cancel = clock.schedule(backoffDelayMs(backoff, streak, random), resolve);
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
