/** Where the publisher reports that its server is away or back; the logger of controllers fits. */
export interface EventLog {
  info(fields: Readonly<Record<string, unknown>>, message: string): void;
  warn(fields: Readonly<Record<string, unknown>>, message: string): void;
}

/** The time; the clock of controllers fits. */
export interface EventClock {
  now(): number;
  /** Milliseconds on a clock that is never set. */
  elapsed(): number;
  /** Calls `callback` after `ms`; the returned function cancels. */
  schedule(ms: number, callback: () => void): () => void;
}
