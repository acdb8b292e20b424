import type { Leadership } from "./lease-renewal.ts";
import type { WriteGate } from "../client/observing-client.ts";

/** Open until one of the leaderships that have entered is over. Once closed it stays so: the process has to end. */
export interface LeadershipGate extends WriteGate {
  enter(leadership: Leadership): void;
}

export function createLeadershipGate(): LeadershipGate {
  const closed = new AbortController();
  const leaderships: Leadership[] = [];
  return {
    get isGuarding() {
      return leaderships.length > 0;
    },
    signal: closed.signal,
    enter: (leadership) => {
      leaderships.push(leadership);
      const close = (): void => closed.abort(leadership.lost.reason);
      if (leadership.lost.aborted) close();
      else leadership.lost.addEventListener("abort", close, { once: true });
    },
    check: () => {
      // A leadership whose time is over aborts `lost`: that closes the gate, and ends the process.
      for (const leadership of leaderships) leadership.isValid();
      closed.signal.throwIfAborted();
    },
  };
}
