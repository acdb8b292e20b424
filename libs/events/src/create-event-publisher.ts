import { toCloudEvent } from "./cloud-event.ts";
import { createEventBuffer } from "./event-buffer.ts";
import { createSilentPublisher } from "./event-publisher.ts";
import type { EventClock, EventLog, EventPublisher } from "./event-publisher.ts";
import { eventSubject } from "./event-subject.ts";
import { openJetStream } from "./jet-stream.ts";
import { parseServers } from "./nats-servers.ts";
import { createSendLoop } from "./send-loop.ts";

export interface EventPublisherOptions {
  /** NATS URLs separated by commas, as in NATS_URL. Absent or empty: events go nowhere. */
  readonly servers?: string | undefined;
  /** Name of the JetStream stream; it is made if it is not there. Default "LANDSCAPER". */
  readonly stream?: string | undefined;
  /** CloudEvents source: a URI reference of this process, e.g. "/landscaper-core". */
  readonly source: string;
  readonly log?: EventLog | undefined;
  readonly clock?: EventClock | undefined;
  /** A number in [0, 1), for the jitter of retries. */
  readonly random?: (() => number) | undefined;
  /** Events kept while the server is away; beyond it the oldest are dropped and counted. Default 1,000. */
  readonly bufferLimit?: number | undefined;
  /** Limit for connecting and for each acknowledgement. Default 5 s. */
  readonly timeoutMs?: number | undefined;
}

/** Throws TypeError when `servers` are no NATS URLs; nothing else can go wrong here, as nothing is connected yet. */
export function createEventPublisher(options: EventPublisherOptions): EventPublisher {
  const { servers = "", source, stream = "LANDSCAPER", timeoutMs = 5_000 } = options;
  if (servers.trim() === "") return createSilentPublisher();
  parseServers(servers);
  const clock = options.clock ?? realClock;
  const log = options.log ?? silentLog;
  const buffer = createEventBuffer(options.bufferLimit ?? 1_000);
  const onStreamProblem = (problem: string): void =>
    log.warn({ stream, problem }, "the stream for events is not as it should be");
  const loop = createSendLoop({
    open: () => openJetStream({ servers, stream, clientName: source, timeoutMs, onStreamProblem }),
    buffer,
    clock,
    log,
    random: options.random ?? Math.random,
  });
  let isOpen = true;
  return {
    publish: (event) => {
      if (!isOpen) return;
      try {
        const cloudEvent = toCloudEvent(event, { source, nowMs: clock.now() });
        buffer.push({ id: cloudEvent.id, subject: eventSubject(event.data), body: JSON.stringify(cloudEvent) });
        loop.wake();
      } catch (error) {
        log.warn({ problem: error instanceof Error ? error.message : String(error) }, "an event was not published");
      }
    },
    stop: (limitMs = 3_000) => {
      isOpen = false;
      return loop.stop(limitMs);
    },
    get stats() {
      return loop.stats;
    },
  };
}

const silentLog: EventLog = { info: () => {}, warn: () => {} };

const realClock: EventClock = {
  now: () => Date.now(),
  schedule: (ms, callback) => {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
};
