import type { PendingMessage } from "../src/event-buffer.ts";
import type { EventLog } from "../src/event-publisher.ts";
import type { JetStreamLink } from "../src/jet-stream.ts";

export interface MemoryLog extends EventLog {
  readonly lines: string[];
}

export function createMemoryLog(): MemoryLog {
  const lines: string[] = [];
  const write = (level: string) => (fields: Readonly<Record<string, unknown>>, text: string) =>
    void lines.push(`${level} ${text} ${JSON.stringify(fields)}`);
  return { lines, info: write("info"), warn: write("warn") };
}

export interface ScriptedLink extends JetStreamLink {
  readonly sent: PendingMessage[];
  isOpen: boolean;
}

/** A link that acknowledges by `answer`. */
export function createScriptedLink(answer: (message: PendingMessage) => Promise<void>): ScriptedLink {
  const link: ScriptedLink = {
    sent: [],
    isOpen: true,
    send: (message) => {
      link.sent.push(message);
      return answer(message);
    },
    close: () => {
      link.isOpen = false;
      return Promise.resolve();
    },
  };
  return link;
}

/** Lets everything run that only waits for promises. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
