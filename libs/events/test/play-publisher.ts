import { waitFor } from "@landscaper/testkit";
import { createSystemClock } from "@landscaper/controller-runtime";
import type { KubeObject, TransitionEvent } from "@landscaper/api";
import { jetstreamManager, type JetStreamManager } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import {
  createTransitionPublisher,
  type EventKind,
  type FeedObserver,
  type TransitionPublisher,
  type TransitionPublisherOptions,
} from "../src/index.ts";

/** A version of an Installation. */
export function version(resourceVersion: string, phase: string, uid = "u"): KubeObject {
  const metadata = { namespace: "n", name: uid, uid, resourceVersion };
  return { apiVersion: "v1", kind: "Installation", metadata, status: { phase, jobID: "j" } } as KubeObject;
}

/** A publisher whose feeds are played. */
export interface PlayedPublisher {
  readonly publisher: TransitionPublisher;
  readonly feeds: ReadonlyMap<EventKind, FeedObserver>;
  /** Feed of the Installations. */
  readonly feed: FeedObserver;
  readonly log: readonly string[];
  /** Resolves when the feeds have begun. */
  ready(): Promise<unknown>;
  /** Resolves when everything that was observed is published. */
  settle(): Promise<unknown>;
  /** Resolves when this is the problem. */
  hasProblem(problem: RegExp): Promise<unknown>;
  /** Resolves to what the run was rejected with. */
  ended(): Promise<unknown>;
  stop(): Promise<unknown>;
}

export function playPublisher(servers: string, options: Partial<TransitionPublisherOptions> = {}): PlayedPublisher {
  const feeds = new Map<EventKind, FeedObserver>();
  const log: string[] = [];
  const stop = new AbortController();
  const publisher = createTransitionPublisher({
    servers,
    timeoutMs: 2_000,
    random: () => 0,
    hubId: () => Promise.resolve("hub"),
    log: {
      info: (_, message) => void log.push(message),
      warn: (fields, message) => void log.push(`${message}: ${String(fields["state"] ?? fields["subject"])}`),
    },
    clock: createSystemClock(),
    follow: (kind, observer, signal) => {
      feeds.set(kind, observer);
      return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
    },
    ...options,
  });
  const run = publisher.run(stop.signal).catch((error: unknown) => error);
  return {
    publisher,
    feeds,
    log,
    get feed() {
      const feed = feeds.get("Installation");
      if (feed === undefined) throw new Error("the feeds have not begun");
      return feed;
    },
    ready: () => waitFor(() => feeds.size === 3, { intervalMs: 20 }),
    settle: () => waitFor(() => publisher.stats.waiting === 0, { intervalMs: 20 }),
    hasProblem: (problem) => waitFor(() => problem.test(publisher.stats.problem ?? ""), { intervalMs: 20 }),
    ended: () => run,
    stop: () => {
      stop.abort(new Error("stop"));
      return run;
    },
  };
}

/** Calls with the manager of the server's streams. */
export async function withManager<T>(url: string, call: (manager: JetStreamManager) => Promise<T>): Promise<T> {
  // The library ignores credentials in a URL.
  const { host, username: user, password: pass } = new URL(url);
  const connection = await connect({ servers: host, ...(user === "" ? {} : { user, pass }) });
  try {
    return await call(await jetstreamManager(connection));
  } finally {
    await connection.close();
  }
}

/** Returns the events in the stream, each as "id phase previous gap". */
export async function readEvents(url: string): Promise<readonly string[]> {
  return await withManager(url, async (manager) => {
    const { state } = await manager.streams.info("LANDSCAPER");
    const events: string[] = [];
    for (let seq = state.first_seq; seq <= state.last_seq; seq++) {
      const { id, data } = (await manager.streams.getMessage("LANDSCAPER", { seq }))?.json<TransitionEvent>() ?? {};
      events.push([id, data?.phase, data?.previous ?? "-", data?.gap === true ? "gap" : ""].join(" ").trim());
    }
    return events;
  });
}
