import type { Environment } from "@landscaper/api";
import type { Clock } from "@landscaper/controller-runtime";

/** Something that a loop waits for beside the time. */
export interface Wake {
  /** Ends the running wait, or the next one at once. */
  readonly call: () => void;
  /** Resolves after so long (ms), or when it is called; rejects when the signal is aborted first. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
}

export function createWake(clock: Pick<Clock, "sleep">): Wake {
  let called = new AbortController();
  return {
    call: () => called.abort(),
    wait: async (ms, signal) => {
      await clock.sleep(ms, AbortSignal.any([signal, called.signal])).catch(() => undefined);
      signal.throwIfAborted();
      if (called.signal.aborted) called = new AbortController();
    },
  };
}

/** What of an Environment matters to its agent: its status does not. */
export function relevantState({ metadata }: Environment): string {
  const { uid, generation, deletionTimestamp, finalizers } = metadata;
  return JSON.stringify([uid, generation, deletionTimestamp, finalizers]);
}
