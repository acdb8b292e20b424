import type { Clock } from "../controller-interface.ts";

/** Keys that come later. Of several delays of one key the earliest counts. */
export interface DelayedAdds {
  add(key: string, delayMs: number): void;
  cancel(key: string): void;
  clear(): void;
}

export function createDelayedAdds(clock: Clock, onDue: (key: string) => void): DelayedAdds {
  const delays = new Map<string, { readonly dueMs: number; cancel(): void }>();
  const cancel = (key: string): void => {
    delays.get(key)?.cancel();
    delays.delete(key);
  };
  return {
    cancel,
    add: (key, delayMs) => {
      const dueMs = clock.elapsed() + delayMs;
      const pending = delays.get(key);
      if (pending !== undefined && pending.dueMs <= dueMs) return;
      cancel(key);
      const cancelTimer = clock.schedule(delayMs, () => {
        delays.delete(key);
        onDue(key);
      });
      delays.set(key, { dueMs, cancel: cancelTimer });
    },
    clear: () => {
      for (const key of delays.keys()) cancel(key);
    },
  };
}
