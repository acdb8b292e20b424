import type { JetStreamManager, StreamConfig } from "@nats-io/jetstream";
import type { KV } from "@nats-io/kv";
import type { NatsConnection } from "@nats-io/transport-node";
import { cloudEventContentType } from "./transition-event.ts";
import { streamName, subjectPrefix } from "../event-subject.ts";
import { connectionOptions } from "../connection-options.ts";
import { openConnection } from "../open-connection.ts";
import {
  closedConnection,
  codeOf,
  EventRefused,
  formatPlace,
  isConflict,
  isPermissionError,
  isTooLarge,
  jetStreamCodes,
  NatsProblem,
  toNatsProblem,
  type NatsPlace,
  type NatsState,
} from "./nats-problem.ts";
import { findBucketFault, findStreamFault, type SettingsFault } from "./stream-settings.ts";

export interface EventMessage {
  readonly id: string;
  readonly subject: string;
  readonly body: string;
}

export interface StoredValue {
  readonly key: string;
  readonly value: string;
  readonly revision: number;
}

/** A connection to the stream and the bucket. Every method rejects with NatsProblem; comments of methods name other errors. */
export interface EventLink {
  /** How messages name the server. */
  readonly place: string;
  /** Resolves when the stream has acknowledged. Rejects with EventRefused if the server refuses this event. */
  publish(message: EventMessage): Promise<void>;
  /** Replaces the value with this revision (0: the key has no value), and returns the new revision. Returns undefined if the stored revision differs. Rejects with EventRefused if the value is too large. */
  put(key: string, value: string, revision: number): Promise<number | undefined>;
  get(key: string): Promise<StoredValue | undefined>;
  /** Returns the values of all keys that match. One of them must have the revision `until`. Values with a later revision may be missing. */
  readAll(filter: string, until: number): Promise<readonly StoredValue[]>;
  /** Removes a key without leaving the marker of a deletion. */
  purge(key: string): Promise<void>;
  /** Resolves when the connection has ended, with the reason if there is one. */
  closed(): Promise<unknown>;
  close(): Promise<void>;
}

export interface EventLinkOptions {
  /** NATS URLs, separated by commas. */
  readonly servers: string;
  readonly timeoutMs: number;
  /** Whether stream and bucket may get one replica in a cluster that has too few servers for three. */
  readonly acceptsOneReplica: boolean;
}

const millisecond = 1_000_000;
const day = 24 * 3_600_000 * millisecond;
/** Settings of a stream that the publisher creates. It never changes an existing stream. */
const streamDefaults = { max_age: 7 * day, max_bytes: 256 * 1024 * 1024, duplicate_window: 120_000 * millisecond };
const clusterReplicas = 3;
const bucket = "landscaper-events";
/** Stream that keeps the values of the bucket. */
const bucketStream = `KV_${bucket}`;
/** Shown by the server among its connections. */
const clientName = "landscaper-events";

/** Connects, and creates the stream and the bucket if they are missing. Does not reconnect: its user opens another link. */
export async function openEventLink(options: EventLinkOptions): Promise<EventLink> {
  const place = connectionOptions(options.servers);
  const { timeoutMs } = options;
  const guard: Guard = async (step, work, stream = streamName) => {
    try {
      return await work();
    } catch (error) {
      if (error instanceof EventRefused) throw error;
      throw toNatsProblem(error, { addresses: place.servers, stream, step } satisfies NatsPlace);
    }
  };
  const connection = await openConnection(options.servers, { clientName, timeoutMs, step: "cannot connect" });
  try {
    return await openOn(connection, options, guard);
  } catch (error) {
    await connection.close();
    throw error;
  }
}

/** `stream`: that of the step, for the remedy. Default: the stream of the events. */
type Guard = <T>(step: string, work: () => Promise<T>, stream?: string) => Promise<T>;

async function openOn(connection: NatsConnection, options: EventLinkOptions, guard: Guard): Promise<EventLink> {
  const { jetstream, jetstreamManager } = await import("@nats-io/jetstream");
  const { Kvm } = await import("@nats-io/kv");
  const { headers } = await import("@nats-io/transport-node");
  const { timeoutMs } = options;
  const client = jetstream(connection, { timeout: timeoutMs });
  const manager = await jetstreamManager(connection, { timeout: timeoutMs, checkAPI: false });
  const replicas: Replicas = {
    count: connection.info?.cluster === undefined ? 1 : clusterReplicas,
    acceptsOne: options.acceptsOneReplica,
  };
  const { servers: addresses } = connectionOptions(options.servers);
  const at = formatPlace(addresses);
  await guard(`cannot create the stream ${streamName}`, () => ensureStream(manager, at, replicas));
  const guardBucket: Guard = (step, work) => guard(step, work, bucketStream);
  const kv = await guardBucket(`cannot create the bucket ${bucket}`, async () => {
    const config = await findStream(manager, bucketStream);
    if (config !== undefined && config !== "unreadable")
      refuseSettings(`${at}: the bucket ${bucket}`, "bucket-settings", findBucketFault(config, bucket));
    return await withReplicas(replicas, (count) => new Kvm(client).create(bucket, { history: 1, replicas: count }));
  });
  const missing = `${at}: the stream ${streamName} or the bucket ${bucket} does not exist. The publisher creates it again.`;
  return {
    place: at,
    publish: ({ id, subject, body }) =>
      guard(`cannot publish to ${subject}`, async () => {
        const messageHeaders = headers();
        messageHeaders.set("Content-Type", cloudEventContentType);
        try {
          await client.publish(subject, body, { msgID: id, headers: messageHeaders, expect: { streamName } });
        } catch (error) {
          throw isPermissionError(error) || isTooLarge(error)
            ? new EventRefused(`the server refuses the event ${id} of ${subject}: ${messageOf(error)}`, {
                cause: error,
              })
            : await explainMissing(error, connection, missing);
        }
      }),
    put: (key, value, revision) =>
      guardBucket(`cannot store ${key} in the bucket ${bucket}`, async () => {
        try {
          // `create` also replaces the marker that a deletion of the key has left.
          return await (revision === 0 ? kv.create(key, value) : kv.put(key, value, { previousSeq: revision }));
        } catch (error) {
          if (isConflict(error)) return undefined;
          if (isTooLarge(error)) {
            const message = `the server refuses the value of ${key} in the bucket ${bucket}: ${messageOf(error)}`;
            throw new EventRefused(message, { cause: error });
          }
          throw await explainMissing(error, connection, missing);
        }
      }),
    get: (key) => guardBucket(`cannot read ${key} in the bucket ${bucket}`, () => readKey(kv, key)),
    readAll: (filter, until) =>
      guardBucket(`cannot read the bucket ${bucket}`, () => readAll(kv, filter, { until, timeoutMs, place: at })),
    purge: (key) =>
      guardBucket(`cannot purge ${key} in the bucket ${bucket}`, async () => {
        await manager.streams.purge(bucketStream, { filter: `$KV.${bucket}.${key}` });
      }),
    closed: async () => {
      const reason = await connection.closed();
      return reason instanceof Error
        ? toNatsProblem(reason, { addresses, stream: streamName, step: "the connection has ended" })
        : closedConnection(addresses);
    },
    close: () => connection.close(),
  };
}

/** If no stream takes a publish, the client library reports that JetStream is disabled. The next link creates the stream again, or names the state. */
async function explainMissing(error: unknown, connection: NatsConnection, message: string): Promise<unknown> {
  const isUnanswered = error instanceof Error && error.name === "JetStreamNotEnabled";
  if (!isUnanswered) return error;
  await connection.flush();
  return new NatsProblem("stream-missing", message);
}

async function readKey(kv: KV, key: string): Promise<StoredValue | undefined> {
  const entry = await kv.get(key);
  return entry === null || entry.operation !== "PUT"
    ? undefined
    : { key, value: entry.string(), revision: entry.revision };
}

/** Reads up to the revision `until`. The number of pending messages is not reliable: nats-server 2.9 counts a message that it never sends if a key is overwritten meanwhile. */
async function readAll(
  kv: KV,
  filter: string,
  { until, timeoutMs, place }: ReadLimits,
): Promise<readonly StoredValue[]> {
  const found: StoredValue[] = [];
  const entries = await kv.watch({ key: filter });
  let hasEnded = false;
  let timer = setTimeout(() => entries.stop(), timeoutMs);
  try {
    for await (const entry of entries) {
      if (entry.operation === "PUT") found.push({ key: entry.key, value: entry.string(), revision: entry.revision });
      if (entry.revision >= until) {
        hasEnded = true;
        break;
      }
      timer = timer.refresh();
    }
  } finally {
    clearTimeout(timer);
    entries.stop();
  }
  if (!hasEnded)
    throw new NatsProblem(
      "no-acknowledgement",
      `${place}: reading the bucket ${bucket} ended before the publisher's own key was read. The publisher reads it again.`,
    );
  return found;
}

interface ReadLimits {
  readonly place: string;
  /** Revision of a key that matches. */
  readonly until: number;
  /** For the next key. */
  readonly timeoutMs: number;
}

async function ensureStream(manager: JetStreamManager, at: string, replicas: Replicas): Promise<void> {
  const { DiscardPolicy, RetentionPolicy, StorageType } = await import("@nats-io/jetstream");
  const config = await findStream(manager, streamName);
  if (config === "unreadable") return;
  if (config !== undefined) {
    refuseSettings(`${at}: the stream ${streamName}`, "stream-settings", findStreamFault(config));
    return;
  }
  await withReplicas(replicas, async (count) => {
    try {
      await manager.streams.add({
        ...streamDefaults,
        name: streamName,
        subjects: [`${subjectPrefix}.>`],
        retention: RetentionPolicy.Limits,
        storage: StorageType.File,
        discard: DiscardPolicy.Old,
        num_replicas: count,
      });
    } catch (error) {
      // Another client has created it meanwhile.
      if (codeOf(error) !== jetStreamCodes.nameInUse) throw error;
    }
  });
}

/** Returns the settings of the stream, or "unreadable" if the account may not read them: the right to publish is enough. */
async function findStream(manager: JetStreamManager, name: string): Promise<StreamConfig | "unreadable" | undefined> {
  try {
    return (await manager.streams.info(name)).config;
  } catch (error) {
    if (codeOf(error) === jetStreamCodes.streamNotFound) return undefined;
    if (isPermissionError(error)) return "unreadable";
    throw error;
  }
}

/** Throws NatsProblem for a fault. */
function refuseSettings(subject: string, state: NatsState, fault: SettingsFault | undefined): void {
  if (fault !== undefined) throw new NatsProblem(state, `${subject} ${fault.finding}. ${fault.remedy}.`);
}

interface Replicas {
  readonly count: number;
  /** False: a cluster with too few servers is a problem, because the others may be about to start. */
  readonly acceptsOne: boolean;
}

/** Creates with three replicas in a cluster that has enough servers, otherwise with one. An existing stream keeps its number. */
async function withReplicas<T>({ count, acceptsOne }: Replicas, create: (count: number) => Promise<T>): Promise<T> {
  try {
    return await create(count);
  } catch (error) {
    const code = codeOf(error);
    const isImpossible = code === jetStreamCodes.replicasUnsupported || (acceptsOne && code === jetStreamCodes.noPeers);
    if (count === 1 || !isImpossible) throw error;
    return await create(1);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
