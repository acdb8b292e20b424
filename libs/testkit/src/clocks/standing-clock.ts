import { createSystemClock, type Clock } from "@landscaper/controller-runtime";

/** A clock that always shows the same time, in ms since the epoch; its timers run as those of the system do. */
export function createStandingClock(nowMs: number): Clock {
  return { ...createSystemClock(), now: () => nowMs };
}
