import { createSystemClock, sleepWith, type Clock } from "@landscaper/controller-runtime";

/** The real time for a program in this process that can be killed: then nothing waits any longer, and all that was scheduled is due. */
export function createKillableClock(killed: AbortSignal): Clock {
  const system = createSystemClock();
  const schedule: Clock["schedule"] = (ms, callback) => {
    const fire = (): void => {
      cancel();
      callback();
    };
    const cancelTimer = system.schedule(killed.aborted ? 0 : ms, fire);
    const cancel = (): void => {
      cancelTimer();
      killed.removeEventListener("abort", fire);
    };
    killed.addEventListener("abort", fire, { once: true });
    return cancel;
  };
  return { ...system, schedule, sleep: async (ms, signal) => sleepWith(schedule, ms, signal) };
}
