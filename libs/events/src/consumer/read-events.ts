import type { TransitionEvent } from "@landscaper/api";
import type { Consumer, ConsumerMessages, JsMsg, OrderedConsumerOptions } from "@nats-io/jetstream";
import { connectionOptions } from "../connection-options.ts";
import { openConnection } from "../open-connection.ts";
import { eventFilter, streamName, type EventSelection } from "../event-subject.ts";
import { createSystemClock, type Clock } from "@landscaper/controller-runtime";
import { createRetryPause } from "../retry-pause.ts";
import { isText, isTransitionData } from "../transitions/transition-data.ts";
import { closedConnection, NatsProblem, toNatsProblem } from "../transitions/nats-problem.ts";

export interface ReadEventsOptions extends EventSelection {
  /** NATS URLs, separated by commas. */
  readonly servers: string;
  /** Setting that contains them, as messages name it. Default: NATS_URL. */
  readonly setting?: string | undefined;
  /** Shown by the server among its connections. */
  readonly clientName: string;
  /** Excludes events that the stream received earlier. Default: all events of the stream. */
  readonly since?: Date | undefined;
  /** Whether to wait for further events. Default: the iteration ends after the last event. */
  readonly follows?: boolean | undefined;
  /** Called for each message that is not an event, with its sequence in the stream and its subject. Such messages are skipped. */
  readonly onUnreadable?: ((sequence: number, subject: string) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called while it follows: with the reason when events cannot be read, and with undefined when they can be read again. */
  readonly onProblem?: ((problem: NatsProblem | undefined) => void) | undefined;
  /** Schedules the pauses between attempts. Default: timers of Node. */
  readonly clock?: Pick<Clock, "schedule"> | undefined;
}

/**
 * Yields events of the stream in its order, until the signal is aborted. An event may be yielded twice, with the same id. Throws NatsProblem, and
 * TypeError if `servers` are not NATS URLs. While it follows, it throws only if the first attempt to read fails. It retries later ones.
 */
export async function* readEvents(options: ReadEventsOptions): AsyncGenerator<TransitionEvent> {
  const {
    follows = false,
    kinds,
    signal,
    onProblem = () => {},
    onUnreadable = () => {},
    clock = createSystemClock(),
  } = options;
  const pause = createRetryPause(clock, Math.random);
  const cut = (): void => pause.cut();
  signal?.addEventListener("abort", cut, { once: true });
  const position: StreamPosition = { hasBegun: false, time: options.since?.toISOString() };
  let problem: NatsProblem | undefined;
  const report = (next: NatsProblem | undefined): void => {
    if (next?.message !== problem?.message) onProblem(next);
    problem = next;
  };
  const onOpen = (): void => {
    position.hasBegun = true;
    pause.reset();
    report(undefined);
  };
  try {
    for (;;) {
      try {
        for await (const message of readStream({ ...options, since: position.time, onOpen })) {
          position.time = message.timestamp;
          const event = parseEvent(message);
          if (event === undefined) {
            onUnreadable(message.seq, message.subject);
            continue;
          }
          const isRepeated = event.id === position.id;
          position.id = event.id;
          if (!isRepeated && (kinds === undefined || kinds.includes(event.data.kind))) yield event;
        }
        return;
      } catch (error) {
        if (!(error instanceof NatsProblem) || !follows || !position.hasBegun) throw error;
        report(error);
      }
      pause.fail();
      await pause.wait();
      if (signal?.aborted === true) return;
    }
  } finally {
    signal?.removeEventListener("abort", cut);
  }
}

/** Last event that was read. Its time also selects the next event in a stream that was created again; its sequence would not. */
interface StreamPosition {
  hasBegun: boolean;
  id?: string;
  /** RFC 3339. Undefined: from the first event of the stream. */
  time: string | undefined;
}

interface StreamReading extends Omit<ReadEventsOptions, "since"> {
  /** RFC 3339. */
  readonly since: string | undefined;
  /** Called when the stream can be read. */
  readonly onOpen: () => void;
}

/** A consumer that is missing is noticed within this time (ms), if the server does not report it. */
const pullMs = 10_000;
/** Limit (ms) for connecting. A server that does not answer also delays an abort for this time. */
const connectMs = 3_000;
/** Pause (ms) between checks for the end of the stream. */
const endCheckMs = 1_000;
/** Time (ms) that the server has to remove the consumer after the signal was aborted. */
const graceMs = 1_000;

/** Returns undefined for a message that is not an event: other clients may publish to subjects of the stream. */
function parseEvent(message: Pick<JsMsg, "json">): TransitionEvent | undefined {
  try {
    const event = message.json<Partial<TransitionEvent> | null>();
    // Events of former releases, which the stream may still have, have neither uid nor version.
    const data = { uid: "", resourceVersion: "0", ...event?.data };
    const isEvent = [event?.id, event?.source, event?.time].every(isText) && isTransitionData(data);
    return isEvent ? (event as TransitionEvent) : undefined;
  } catch {
    return undefined;
  }
}

interface WatchedEnd {
  readonly isReached: boolean;
  cancel(): void;
}

/** Stops the messages when none is left, although the last one announced more: the stream was purged meanwhile. */
function watchEnd(consumer: Consumer, messages: ConsumerMessages): WatchedEnd {
  let isReached = false;
  let quietAt: number | undefined;
  const check = async (): Promise<void> => {
    const before = quietAt;
    quietAt = undefined;
    if (messages.getReceived() !== messages.getProcessed() || (await consumer.info()).num_pending > 0) return;
    quietAt = messages.getReceived();
    // The server may send its last messages after the answer: the end must be found twice.
    if (quietAt !== before || quietAt !== messages.getProcessed()) return;
    isReached = true;
    messages.stop();
  };
  // A lost connection ends the messages, too.
  const timer = setInterval(() => void check().catch(() => {}), endCheckMs);
  return {
    get isReached() {
      return isReached;
    },
    cancel: () => clearInterval(timer),
  };
}

/** Yields the messages over one connection. Throws NatsProblem if it ends too early. */
async function* readStream(reading: StreamReading): AsyncGenerator<JsMsg> {
  const { servers, setting, clientName, since, follows = false, signal, onOpen } = reading;
  const { DeliverPolicy, jetstream } = await import("@nats-io/jetstream");
  const place = connectionOptions(servers);
  const step = "cannot read the events";
  const permissions = "docs/guide/cli.md#events-transitions-on-nats";
  const toProblem = (error: unknown): NatsProblem =>
    toNatsProblem(error, { addresses: place.servers, stream: streamName, step, setting, permissions });
  const connection = await openConnection(servers, { clientName, timeoutMs: connectMs, step, setting });
  let timer: NodeJS.Timeout | undefined;
  let drained: WatchedEnd | undefined;
  // After an abort, the reading removes its consumer and ends by itself, unless the server does not answer.
  const close = (): void => void (timer = setTimeout(() => void connection.close(), graceMs));
  signal?.addEventListener("abort", close, { once: true });
  const start: Partial<OrderedConsumerOptions> =
    since === undefined
      ? { deliver_policy: DeliverPolicy.All }
      : { deliver_policy: DeliverPolicy.StartTime, opt_start_time: since };
  try {
    const consumer = await jetstream(connection).consumers.get(streamName, {
      ...start,
      filter_subjects: eventFilter(reading),
    });
    try {
      onOpen();
      if (!follows && (await consumer.info()).num_pending === 0) return;
      const messages = await consumer.consume({ expires: pullMs, abort_on_missing_resource: true });
      const stop = (): void => messages.stop();
      void connection.closed().then(stop);
      signal?.addEventListener("abort", stop, { once: true });
      if (!follows) drained = watchEnd(consumer, messages);
      for await (const message of messages) {
        if (signal?.aborted === true) return;
        yield message;
        if (!follows && message.info.pending === 0) return;
      }
    } finally {
      drained?.cancel();
      // The server would keep it for minutes. Rights may not include the deletion.
      if (!connection.isClosed()) await consumer.delete().catch(() => {});
    }
    if (signal?.aborted === true || drained?.isReached === true) return;
    const reason = connection.isClosed() ? await connection.closed() : undefined;
    throw reason ?? closedConnection(place.servers);
  } catch (error) {
    if (signal?.aborted !== true) throw toProblem(error);
  } finally {
    signal?.removeEventListener("abort", close);
    clearTimeout(timer);
    await connection.close();
  }
}
