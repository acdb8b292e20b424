import type { JetStreamManager } from "@nats-io/jetstream";
import type { ConnectionOptions } from "@nats-io/transport-node";
import { cloudEventContentType } from "./cloud-event.ts";
import type { PendingMessage } from "./event-buffer.ts";
import { subjectPrefix } from "./event-subject.ts";
import { parseServers } from "./nats-servers.ts";

/** A connection that can publish. */
export interface JetStreamLink {
  /** Sends one message; rejects when it is not acknowledged in time. */
  send(message: PendingMessage): Promise<void>;
  readonly isOpen: boolean;
  close(): Promise<void>;
}

export interface JetStreamOptions {
  /** NATS URLs, separated by commas; "tls://" demands TLS, and user and password may be part of a URL. */
  readonly servers: string;
  readonly stream: string;
  /** Shown by the server among its connections. */
  readonly clientName: string;
  readonly timeoutMs: number;
  /** Told when the stream is not ours to make, e.g. for want of permission; sending goes on. */
  readonly onStreamProblem: (problem: string) => void;
}

const millisecond = 1_000_000;
const day = 24 * 3_600_000 * millisecond;
/** Of a stream that we have to make ourselves; an operator's own settings are left alone. */
const streamDefaults = { max_age: 7 * day, max_bytes: 256 * 1024 * 1024, duplicate_window: 120_000 * millisecond };

/** JetStream's error code (JSStreamNotFoundErr). */
const streamNotFoundCode = 10_059;

/** Connects and makes sure that the stream is there. No reconnecting inside: the publisher decides when to try again. */
export async function openJetStream(options: JetStreamOptions): Promise<JetStreamLink> {
  // Loaded when first needed: set-ups without NATS do not pay for it.
  const { connect, headers } = await import("@nats-io/transport-node");
  const { jetstream, jetstreamManager } = await import("@nats-io/jetstream");
  const connection = await connect({ ...connectionOptions(options), name: options.clientName });
  try {
    const manager = await jetstreamManager(connection, { timeout: options.timeoutMs, checkAPI: false });
    await ensureStream(manager, options).catch((error: unknown) =>
      options.onStreamProblem(error instanceof Error ? error.message : String(error)),
    );
  } catch (error) {
    await connection.close();
    throw error;
  }
  const client = jetstream(connection, { timeout: options.timeoutMs });
  return {
    get isOpen() {
      return !connection.isClosed();
    },
    send: async ({ id, subject, body }) => {
      const messageHeaders = headers();
      messageHeaders.set("Content-Type", cloudEventContentType);
      await client.publish(subject, body, { msgID: id, headers: messageHeaders, timeout: options.timeoutMs });
    },
    close: () => connection.close(),
  };
}

async function ensureStream(manager: JetStreamManager, { stream }: JetStreamOptions): Promise<void> {
  const { DiscardPolicy, JetStreamApiError, RetentionPolicy, StorageType } = await import("@nats-io/jetstream");
  try {
    await manager.streams.info(stream);
  } catch (error) {
    if (!(error instanceof JetStreamApiError) || error.code !== streamNotFoundCode) throw error;
    await manager.streams.add({
      ...streamDefaults,
      name: stream,
      subjects: [`${subjectPrefix}.>`],
      retention: RetentionPolicy.Limits,
      storage: StorageType.File,
      discard: DiscardPolicy.Old,
    });
  }
}

function connectionOptions(options: JetStreamOptions): ConnectionOptions {
  const { addresses, user, password, demandsTls } = parseServers(options.servers);
  return {
    servers: addresses,
    timeout: options.timeoutMs,
    reconnect: false,
    // A server that died without a word is noticed within twice this time.
    pingInterval: 10_000,
    maxPingOut: 2,
    ...(user === undefined ? {} : { user, pass: password ?? "" }),
    ...(demandsTls ? { tls: {} } : {}),
  };
}
