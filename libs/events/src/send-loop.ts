import type { EventBuffer, PendingMessage } from "./event-buffer.ts";
import type { EventClock, EventLog, PublisherStats } from "./event-publisher.ts";
import type { JetStreamLink } from "./jet-stream.ts";
import { createLinkHolder } from "./link-holder.ts";
import { createRetryPause } from "./retry-pause.ts";

export interface SendLoopOptions {
  readonly open: () => Promise<JetStreamLink>;
  readonly buffer: EventBuffer;
  readonly clock: EventClock;
  readonly log: EventLog;
  readonly random: () => number;
}

export interface SendLoop {
  /** There is something to send. */
  wake(): void;
  /** Sends the rest, for at most `limitMs` and with one more try at most, and closes the connection. Never rejects. */
  stop(limitMs: number): Promise<void>;
  readonly stats: PublisherStats;
}

/** Messages that wait for their acknowledgement at a time. */
const windowSize = 64;

/** Runs beside everything else as long as the buffer holds something: connects when it must, sends, backs off after a failure. */
export function createSendLoop({ open, buffer, clock, log, random }: SendLoopOptions): SendLoop {
  const link = createLinkHolder(open);
  const pause = createRetryPause(clock, random);
  let state: "open" | "flushing" | "stopped" = "open";
  let running: Promise<void> | undefined;
  let published = 0;
  let failures = 0;
  let leftBehind = 0;

  const sendHead = async (): Promise<void> => {
    const { acknowledged, error } = await sendWindow(await link.get(), buffer.head(windowSize));
    published += acknowledged.size;
    buffer.remove(acknowledged);
    if (error !== undefined) throw error;
    if (pause.streak > 0) log.info({ dropped: buffer.dropped }, "events are sent again");
    pause.reset();
  };
  const hasWork = (): boolean => buffer.size > 0 && state !== "stopped";
  const run = async (): Promise<void> => {
    while (hasWork()) {
      const triedWhile = state;
      try {
        await sendHead();
      } catch (error) {
        failures++;
        pause.fail();
        // Said once, not at every try: an outage may be long.
        if (pause.streak === 1) log.warn({ problem: messageOf(error) }, "events cannot be sent for now");
        // A new connection is more likely to work than the old one, and finds or makes the stream again.
        await link.drop();
        if (triedWhile === "flushing") return;
        await pause.wait();
      }
    }
  };
  const wake = (): void => {
    running ??= run().finally(() => {
      running = undefined;
      // What came after the loop had looked for the last time.
      if (buffer.size > 0 && state === "open") wake();
    });
  };
  return {
    wake,
    stop: async (limitMs) => {
      state = "flushing";
      pause.cut();
      await within(clock, limitMs, running);
      state = "stopped";
      leftBehind += buffer.size;
      buffer.remove(new Set(buffer.head(buffer.size)));
      await link.close();
    },
    get stats() {
      const dropped = buffer.dropped + leftBehind;
      return { published, dropped, buffered: buffer.size, failures, isConnected: link.isConnected };
    },
  };
}

/** Sends all, waits for all; a refused message does not keep the others from being sent. */
async function sendWindow(
  link: JetStreamLink,
  messages: readonly PendingMessage[],
): Promise<{ acknowledged: ReadonlySet<PendingMessage>; error: unknown }> {
  const acknowledged = new Set<PendingMessage>();
  let error: unknown;
  await Promise.all(
    messages.map(async (message) => {
      try {
        await link.send(message);
        acknowledged.add(message);
      } catch (failure) {
        error ??= failure;
      }
    }),
  );
  return { acknowledged, error };
}

/** Resolves with the work, or after the limit. */
function within(clock: EventClock, limitMs: number, work: Promise<void> | undefined): Promise<void> {
  return new Promise((resolve) => {
    const cancel = clock.schedule(limitMs, resolve);
    void Promise.resolve(work).finally(() => {
      cancel();
      resolve();
    });
  });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
