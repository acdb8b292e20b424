/** How often the main thread is looked at (ms); a turn cannot be told from others within this time. */
const lookMs = 20;

export interface TurnMonitor {
  /** The longest time (ms of processor time, not of the clock) that the thread has worked without a turn for others, up to 20 ms too much. */
  readonly longestMs: number;
  stop(): void;
}

/**
 * Measures how long a thread works without giving others a turn. Processor time counts, because on a machine with other work a short
 * turn can take long.
 */
export function startTurnMonitor(): TurnMonitor {
  let longestMs = 0;
  let last = process.threadCpuUsage();
  const timer = setInterval(() => {
    const now = process.threadCpuUsage();
    longestMs = Math.max(longestMs, (now.user + now.system - last.user - last.system) / 1000);
    last = now;
  }, lookMs);
  timer.unref();
  return {
    get longestMs() {
      return longestMs;
    },
    stop: () => clearInterval(timer),
  };
}
