// The publisher of events as a process of its own, for the bench "events": publisher-process.ts KUBECONFIG NATS_URL. It answers each message by its usage.
import { readFileSync } from "node:fs";
import { resources, type KubeObject, type ResourceType } from "@landscaper/api";
import {
  connectionFromKubeconfig,
  createClient,
  createSystemClock,
  createMetrics,
  reflect,
} from "@landscaper/controller-runtime";
import { createTransitionPublisher, type EventKind } from "@landscaper/events";
import type { PublisherUsage } from "./publisher-usage.ts";

const [kubeconfig = "", servers = ""] = process.argv.slice(2);
const clock = createSystemClock();
let requests = 0;
const client = createClient({
  connection: connectionFromKubeconfig(readFileSync(kubeconfig, "utf8")),
  clock,
  metrics: { ...(await createMetrics()), observeApiRequest: () => void requests++ },
});
const types: Readonly<Record<EventKind, ResourceType>> = {
  Installation: resources.installation,
  Execution: resources.execution,
  DeployItem: resources.deployItem,
};
const publisher = createTransitionPublisher({
  servers,
  clock,
  log: { info: () => {}, warn: (fields, message) => process.stderr.write(`${message} ${JSON.stringify(fields)}\n`) },
  hubId: () => Promise.resolve("bench"),
  follow: async (kind, observer, signal) =>
    await reflect(
      {
        client,
        type: types[kind],
        clock,
        random: Math.random,
        selection: {},
        from: observer.from,
        reduce: reduceObject,
        onList: ({ items, resourceVersion }) => observer.onList(items, resourceVersion),
        onEvent: (type, object) => observer.onVersion(object, type === "DELETED"),
        onBookmark: (resourceVersion) => observer.onBookmark(resourceVersion),
        ready: () => observer.ready(),
      },
      signal,
    ),
});

/** Keeps what the core keeps of listed objects. */
function reduceObject(object: KubeObject & { readonly status?: unknown }): KubeObject {
  const { apiVersion, kind, metadata, status } = object;
  const { namespace = "", name = "", uid = "", resourceVersion = "" } = metadata;
  const reduced: typeof object = { apiVersion, kind, metadata: { namespace, name, uid, resourceVersion }, status };
  return reduced;
}

function heapMiB(): number {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 1024 / 1024;
}

const startMiB = heapMiB();
const end = new AbortController();
process.on("message", () => {
  const { user, system } = process.cpuUsage();
  const { published, waiting } = publisher.stats;
  const usage: PublisherUsage = {
    cpuSeconds: (user + system) / 1e6,
    heapMiB: heapMiB() - startMiB,
    peakMiB: process.resourceUsage().maxRSS / 1024,
    published,
    waiting,
    requests,
  };
  process.send?.(usage);
});
process.on("disconnect", () => end.abort(new Error("the bench has ended")));
await publisher.run(end.signal);
await client.close();
