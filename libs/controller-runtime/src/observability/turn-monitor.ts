export interface TurnMonitor {
  /** The longest time (ms of processor time, not of the clock) that the thread has worked without a turn for others. */
  readonly longestMs: number;
  stop(): void;
}

/**
 * Measures how long a thread works without giving others a turn: the longest round of its event loop. Processor time counts, because on a
 * machine with other work a short turn can take long.
 *
 * An immediate without a reference runs at the end of each round that something else has begun, and wakes no idle thread.
 */
export function startTurnMonitor(): TurnMonitor {
  let longestMs = 0;
  let last = process.threadCpuUsage();
  const endRound = (): void => {
    const now = process.threadCpuUsage();
    longestMs = Math.max(longestMs, (now.user + now.system - last.user - last.system) / 1000);
    last = now;
    next = setImmediate(endRound).unref();
  };
  let next = setImmediate(endRound).unref();
  return {
    get longestMs() {
      return longestMs;
    },
    stop: () => clearImmediate(next),
  };
}
