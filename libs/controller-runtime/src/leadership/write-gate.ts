import type { Leadership } from "./lease-renewal.ts";
import { LeadershipLostError } from "./lease-renewal.ts";
import type { WriteGate } from "../client/observing-client.ts";

/** Open until one of the leaderships that have entered is over. Once closed it stays so: the process has to end. */
export interface LeadershipGate extends WriteGate {
  enter(leadership: Leadership): void;
}

export function createLeadershipGate(): LeadershipGate {
  const closed = new AbortController();
  const leaderships: Leadership[] = [];
  return {
    signal: closed.signal,
    enter: (leadership) => {
      leaderships.push(leadership);
      leadership.lost.addEventListener("abort", () => closed.abort(leadership.lost.reason), { once: true });
    },
    check: () => {
      closed.signal.throwIfAborted();
      if (leaderships.every((leadership) => leadership.isValid())) return;
      closed.abort(new LeadershipLostError("of this process", "it was not renewed in time"));
      closed.signal.throwIfAborted();
    },
  };
}
