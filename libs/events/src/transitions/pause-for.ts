import type { EventClock } from "../event-publisher.ts";

/** Resolves after the time, or when the signal is aborted. */
export function pauseFor(clock: EventClock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const cancel = clock.schedule(ms, resolve);
    const end = (): void => {
      cancel();
      resolve();
    };
    if (signal.aborted) end();
    else signal.addEventListener("abort", end, { once: true });
  });
}
