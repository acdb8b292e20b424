import { type Clock, createSystemClock, sleepWith } from "@landscaper/controller-runtime";

/** A clock that runs with the system's until the test moves it forward. */
export interface LeapingClock extends Clock {
  /** Moves the time forward at once. Timers that are due then fire, in order; the others fire so much (ms) earlier. */
  leap(ms: number): void;
  /** Sets the time of day forward, or back by a negative number (ms). Spans and timers do not change. */
  setTimeOfDay(byMs: number): void;
}

interface Timer {
  /** On `elapsed` of the leaping clock. */
  readonly dueMs: number;
  readonly fire: () => void;
  disarm: () => void;
}

/**
 * For long timeouts in tests whose work takes real time, such as requests to an API server: the work never runs into a timeout on a busy machine,
 * and the test decides when the timeout is over.
 */
export function createLeapingClock(): LeapingClock {
  const system = createSystemClock();
  const timers = new Set<Timer>();
  let [aheadMs, dayShiftMs] = [0, 0];
  const elapsed = (): number => system.elapsed() + aheadMs;
  const schedule: Clock["schedule"] = (ms, callback) => {
    const fire = (): void => {
      timers.delete(timer);
      callback();
    };
    const timer: Timer = { dueMs: elapsed() + Math.max(0, ms), fire, disarm: system.schedule(ms, fire) };
    timers.add(timer);
    return () => {
      timer.disarm();
      timers.delete(timer);
    };
  };
  return {
    now: () => system.now() + aheadMs + dayShiftMs,
    elapsed,
    uptime: () => system.uptime() + aheadMs,
    schedule,
    sleep: (ms, signal) => sleepWith(schedule, ms, signal),
    setTimeOfDay: (byMs) => {
      dayShiftMs += byMs;
    },
    leap: (ms) => {
      aheadMs += ms;
      for (const timer of [...timers].toSorted((a, b) => a.dueMs - b.dueMs)) {
        // A timer that fired before may have cancelled it.
        if (!timers.has(timer)) continue;
        timer.disarm();
        const leftMs = timer.dueMs - elapsed();
        if (leftMs > 0) timer.disarm = system.schedule(leftMs, timer.fire);
        else timer.fire();
      }
    },
  };
}
