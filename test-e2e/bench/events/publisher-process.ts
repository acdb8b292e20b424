// The publisher of events as a process of its own, for the bench "events": publisher-process.ts KUBECONFIG NATS_URL. It answers each message by its usage.
import { readFileSync } from "node:fs";
import {
  connectionFromKubeconfig,
  createClient,
  createMetrics,
  createSystemClock,
  type Logger,
} from "@landscaper/controller-runtime";
import { createTransitionPublisher, followVersions } from "@landscaper/events";
import type { PublisherUsage } from "./publisher-usage.ts";

const [kubeconfig = "", servers = ""] = process.argv.slice(2);
const clock = createSystemClock();
let requests = 0;
const client = createClient({
  connection: connectionFromKubeconfig(readFileSync(kubeconfig, "utf8")),
  clock,
  metrics: { ...(await createMetrics()), observeApiRequest: () => void requests++ },
});
const log: Pick<Logger, "info" | "warn"> = {
  info: () => {},
  warn: (fields, message) => process.stderr.write(`${message} ${JSON.stringify(fields)}\n`),
};
const publisher = createTransitionPublisher({
  servers,
  clock,
  log,
  hubId: () => Promise.resolve("bench"),
  follow: followVersions({ client, clock, log }),
});

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
