/** A message that waits to be sent. */
export interface PendingMessage {
  readonly id: string;
  readonly subject: string;
  readonly body: string;
}

/** The messages not yet acknowledged, oldest first. When it is full, the oldest gives way. */
export interface EventBuffer {
  readonly size: number;
  readonly dropped: number;
  push(message: PendingMessage): void;
  /** The oldest messages; they stay in the buffer until they are removed. */
  head(count: number): readonly PendingMessage[];
  /** Takes out what was acknowledged; tells how many of them were still in it. */
  remove(messages: ReadonlySet<PendingMessage>): number;
}

export function createEventBuffer(limit: number): EventBuffer {
  let messages: PendingMessage[] = [];
  let dropped = 0;
  return {
    get size() {
      return messages.length;
    },
    get dropped() {
      return dropped;
    },
    push: (message) => {
      messages.push(message);
      if (messages.length > limit) {
        messages.shift();
        dropped++;
      }
    },
    head: (count) => messages.slice(0, count),
    remove: (done) => {
      const before = messages.length;
      messages = messages.filter((message) => !done.has(message));
      return before - messages.length;
    },
  };
}
