import { type Clock, sleepWith } from "@landscaper/controller-runtime";

/** A clock that stands still until it is told to go on. */
export interface FakeClock extends Clock {
  /**
   * Moves the time forward and fires the timers that fall due, in order, each at its own time; after each one, pending promises
   * get their turn, so that timers set by what it woke fire too when they fall into the span.
   */
  advance(ms: number): Promise<void>;
  /** Moves the time forward to the next timer that is due, and fires it; without timers the clock stands. */
  advanceToNext(): Promise<void>;
  /** Sets the time of day forward, or back by a negative number (ms). Spans and timers do not change. */
  setTimeOfDay(byMs: number): void;
  /** Suspends the machine for so long (ms): the time of day and the uptime go on, `elapsed` and the timers stand still. */
  suspend(ms: number): void;
  readonly pendingTimers: number;
  /** Times (ms since the epoch) at which timers are due, in order. */
  readonly dueTimes: readonly number[];
}

interface Timer {
  readonly dueMs: number;
  readonly callback: () => void;
}

export function createFakeClock(startMs = Date.UTC(2026, 0, 1)): FakeClock {
  let nowMs = startMs;
  let [dayShiftMs, suspendedMs] = [0, 0];
  const timers = new Set<Timer>();
  const schedule: Clock["schedule"] = (ms, callback) => {
    const timer = { dueMs: nowMs + Math.max(0, ms), callback };
    timers.add(timer);
    return () => void timers.delete(timer);
  };
  const earliest = (): Timer | undefined => {
    let first: Timer | undefined;
    for (const timer of timers) if (first === undefined || timer.dueMs < first.dueMs) first = timer;
    return first;
  };
  const advance: FakeClock["advance"] = async (ms) => {
    const endMs = nowMs + ms;
    await settle();
    for (let timer = earliest(); timer !== undefined && timer.dueMs <= endMs; timer = earliest()) {
      timers.delete(timer);
      nowMs = Math.max(nowMs, timer.dueMs);
      timer.callback();
      await settle();
    }
    nowMs = endMs;
  };
  return {
    now: () => nowMs + dayShiftMs,
    elapsed: () => nowMs - startMs,
    uptime: () => nowMs - startMs + suspendedMs,
    schedule,
    sleep: (ms, signal) => sleepWith(schedule, ms, signal),
    advance,
    advanceToNext: async () => {
      await settle();
      const timer = earliest();
      if (timer !== undefined) await advance(Math.max(0, timer.dueMs - nowMs));
    },
    setTimeOfDay: (byMs) => {
      dayShiftMs += byMs;
    },
    suspend: (ms) => {
      dayShiftMs += ms;
      suspendedMs += ms;
    },
    get pendingTimers() {
      return timers.size;
    },
    get dueTimes() {
      return [...timers].map(({ dueMs }) => dueMs).toSorted((a, b) => a - b);
    },
  };
}

/** Lets everything run that only waits for promises. */
async function settle(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}
