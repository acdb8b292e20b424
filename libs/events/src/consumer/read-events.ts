import type { OrderedConsumerOptions } from "@nats-io/jetstream";
import type { NatsConnection } from "@nats-io/transport-node";
import { connectionOptions } from "../connection-options.ts";
import { eventFilter, type EventSelection } from "../event-subject.ts";
import { toNatsProblem } from "../transitions/nats-problem.ts";
import type { TransitionEvent } from "@landscaper/api";

export interface ReadEventsOptions extends EventSelection {
  /** NATS URLs, separated by commas. */
  readonly servers: string;
  readonly stream?: string | undefined;
  /** Shown by the server among its connections. */
  readonly clientName: string;
  /** Events that the stream got earlier are left out. Default: all events of the stream. */
  readonly since?: Date | undefined;
  /** Whether to wait for further events. Default: the iteration ends after the last event. */
  readonly follows?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Yields events of the stream in its order, until the signal is aborted. An event may be yielded twice, with the same id. Throws NatsProblem, and
 * TypeError if `servers` are not NATS URLs. While it follows, it connects again by itself.
 */
export async function* readEvents(options: ReadEventsOptions): AsyncGenerator<TransitionEvent> {
  const { servers, stream = "LANDSCAPER", clientName, follows = false, signal } = options;
  const { connect } = await import("@nats-io/transport-node");
  const place = connectionOptions(servers);
  const toProblem = (error: unknown): Error =>
    toNatsProblem(error, { addresses: place.servers, stream, step: "cannot read the events" });
  let connection: NatsConnection | undefined;
  const close = (): void => void connection?.close();
  try {
    connection = await connect({ ...place, name: clientName, maxReconnectAttempts: -1 });
    signal?.addEventListener("abort", close, { once: true });
    yield* readStream(connection, { ...options, stream, follows });
  } catch (error) {
    if (signal?.aborted !== true) throw toProblem(error);
  } finally {
    signal?.removeEventListener("abort", close);
    await connection?.close();
  }
}

async function* readStream(
  connection: NatsConnection,
  { stream, since, follows, signal, ...selection }: ReadEventsOptions & { readonly stream: string },
): AsyncGenerator<TransitionEvent> {
  const { DeliverPolicy, jetstream } = await import("@nats-io/jetstream");
  const start: Partial<OrderedConsumerOptions> =
    since === undefined
      ? { deliver_policy: DeliverPolicy.All }
      : { deliver_policy: DeliverPolicy.StartTime, opt_start_time: since.toISOString() };
  const consumer = await jetstream(connection).consumers.get(stream, {
    ...start,
    filter_subjects: eventFilter(selection),
  });
  if (follows !== true && (await consumer.info()).num_pending === 0) return;
  const messages = await consumer.consume();
  const stop = (): void => messages.stop();
  signal?.addEventListener("abort", stop, { once: true });
  for await (const message of messages) {
    if (signal?.aborted === true) return;
    const event = message.json<TransitionEvent>();
    const { kinds } = selection;
    if (kinds === undefined || kinds.includes(event.data.kind)) yield event;
    if (follows !== true && message.info.pending === 0) return;
  }
}
