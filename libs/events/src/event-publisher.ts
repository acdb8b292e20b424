import type { LandscaperEvent } from "./cloud-event.ts";

/** Sends events; never in the way of who reports them. */
export interface EventPublisher {
  /** Puts the event into the buffer and returns at once. Never throws. */
  publish(event: LandscaperEvent): void;
  /** Sends what is in the buffer, for at most `timeoutMs` (default 3 s), and disconnects. Never rejects. */
  stop(timeoutMs?: number): Promise<void>;
  /** For metrics. */
  readonly stats: PublisherStats;
}

export interface PublisherStats {
  /** Acknowledged by JetStream. */
  readonly published: number;
  /** Given up because the buffer was full or the time to stop was over. */
  readonly dropped: number;
  /** Waiting now. */
  readonly buffered: number;
  /** Attempts to connect or send that failed. */
  readonly failures: number;
  readonly isConnected: boolean;
}

/** Where the publisher says that its server is away or back; the logger of controllers fits. */
export interface EventLog {
  info(fields: Readonly<Record<string, unknown>>, message: string): void;
  warn(fields: Readonly<Record<string, unknown>>, message: string): void;
}

/** The time; the clock of controllers fits. */
export interface EventClock {
  now(): number;
  /** Calls `callback` after `ms`; the returned function cancels. */
  schedule(ms: number, callback: () => void): () => void;
}

/** A publisher for set-ups without NATS: events go nowhere. */
export function createSilentPublisher(): EventPublisher {
  return {
    publish: () => {},
    stop: () => Promise.resolve(),
    stats: { published: 0, dropped: 0, buffered: 0, failures: 0, isConnected: false },
  };
}
