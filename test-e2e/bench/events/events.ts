import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { apiVersion, resources, type DeployItem } from "@landscaper/api";
import type { Client } from "@landscaper/controller-runtime";
import { createNatsServer, startEmbeddedCluster, waitFor } from "@landscaper/testkit";
import { runInParallel } from "../../src/kits/run-in-parallel.ts";
import { listOverBudget } from "../measure/judge-figures.ts";
import type { PublisherUsage } from "./publisher-usage.ts";

export interface EventsOptions {
  /** DeployItems. */
  readonly count: number;
  /** How long transitions are written. */
  readonly milliseconds: number;
  readonly announce: (line: string) => void;
}

export interface EventsBenchmark extends Pick<EventsOptions, "count" | "milliseconds"> {
  /** Transitions that were written and published. */
  readonly transitions: number;
  /** Processor time of the publisher at 5,000 transitions a minute, in percent of a core. */
  readonly corePercent: number;
  /** Processor time to publish all objects of the first list. */
  readonly listSeconds: number;
  /** Memory after the first list, and after a restart from the bucket. */
  readonly listedMiB: number;
  readonly restartedMiB: number;
  /** Largest resident memory of the whole process: Node, its libraries, and what a garbage collection would free. */
  readonly peakMiB: number;
  readonly requestsPerEvent: number;
  readonly misses: readonly string[];
}

const namespace = "default";
const perMinute = 5_000;
const inFlight = 16;

/** A publisher in its own process, on an embedded API server in this process and a real nats-server. */
export async function benchEvents({ count, milliseconds, announce }: EventsOptions): Promise<EventsBenchmark> {
  const folder = mkdtempSync(join(tmpdir(), "landscaper-bench-events-"));
  const cluster = await startEmbeddedCluster({ crds: true });
  const nats = await createNatsServer();
  const children: ChildProcess[] = [];
  try {
    await nats.start();
    const kubeconfig = join(folder, "kubeconfig");
    writeFileSync(kubeconfig, cluster.server.kubeconfig, { mode: 0o600 });
    const start = (): ChildProcess => {
      const child = fork(join(import.meta.dirname, "publisher-process.ts"), [kubeconfig, nats.url], {
        execArgv: ["--expose-gc"],
      });
      children.push(child);
      return child;
    };
    announce(`${count} DeployItems are created`);
    await runInParallel(count, inFlight, async (index) => {
      await createItem(cluster.client, index);
    });
    announce("the publisher lists and publishes them");
    const first = start();
    const listed = await untilPublished(first, count);
    await stop(first);
    const second = start();
    const restarted = await untilPublished(second, 0);
    announce(`transitions are written for ${milliseconds / 1_000} s`);
    const before = await usageOf(second);
    const startedMs = performance.now();
    const transitions = await writeTransitions(cluster.client, { count, milliseconds });
    const seconds = (performance.now() - startedMs) / 1_000;
    const after = await untilPublished(second, before.published + transitions);
    const rate = transitions / seconds;
    const figures = {
      corePercent: (((after.cpuSeconds - before.cpuSeconds) / seconds) * 100 * (perMinute / 60)) / rate,
      listSeconds: listed.cpuSeconds,
      listedMiB: listed.heapMiB,
      restartedMiB: Math.max(restarted.heapMiB, after.heapMiB),
      peakMiB: Math.max(listed.peakMiB, after.peakMiB),
      requestsPerEvent: (after.requests - before.requests) / transitions,
    };
    const misses = listOverBudget([
      ["processor time at 5,000 transitions a minute (% of a core)", figures.corePercent, 10],
      ["memory after the first list (MiB)", figures.listedMiB, 64],
      ["memory after a restart (MiB)", figures.restartedMiB, 64],
      // Watches end now and then.
      ["requests to the API server for an event", figures.requestsPerEvent, 0.01],
    ]);
    return { count, milliseconds, transitions, ...figures, misses };
  } finally {
    await Promise.all(children.map(stop));
    await nats.remove();
    await cluster.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function createItem(client: Client, index: number): Promise<void> {
  const config = {
    apiVersion: "bench.example/v1",
    kind: "Configuration",
    chart: { ref: `registry.example/charts/app-${index}:1.0.0` },
    values: { text: "x".repeat(1_000) },
  };
  const metadata = { name: `item-${index}`, namespace };
  const item = await client.create<DeployItem>(resources.deployItem, {
    apiVersion,
    kind: "DeployItem",
    metadata,
    spec: { type: "bench", config },
  });
  await writeStatus(client, item, 0);
}

function writeStatus(client: Client, item: DeployItem, job: number): Promise<DeployItem> {
  const jobID = `4f2b1d1e-7a1b-4b59-9c8e-${String(job).padStart(12, "0")}`;
  const status = {
    ...item.status,
    phase: job % 2 === 0 ? "Succeeded" : "Progressing",
    jobID,
    jobIDFinished: jobID,
    observedGeneration: 1,
  };
  return client.updateStatus<DeployItem>(resources.deployItem, { ...item, status });
}

/** Writes transitions at their rate, one object after the other. Returns their number. */
async function writeTransitions(
  client: Client,
  { count, milliseconds }: Pick<EventsOptions, "count" | "milliseconds">,
): Promise<number> {
  const transitions = Math.max(1, Math.round((milliseconds / 60_000) * perMinute));
  const startedMs = performance.now();
  for (let index = 0; index < transitions; index++) {
    const key = { namespace, name: `item-${index % count}` };
    await writeStatus(client, await client.get(resources.deployItem, key), 1 + Math.floor(index / count));
    const dueMs = startedMs + ((index + 1) * 60_000) / perMinute;
    if (dueMs > performance.now()) await sleep(dueMs - performance.now());
  }
  return transitions;
}

async function usageOf(child: ChildProcess): Promise<PublisherUsage> {
  const answer = once(child, "message");
  child.send("usage");
  const [usage] = (await answer) as [PublisherUsage]; // what publisher-process.ts sends
  return usage;
}

/** Waits until so many events are published, and none waits. */
async function untilPublished(child: ChildProcess, published: number): Promise<PublisherUsage> {
  return await waitFor(
    async () => {
      const usage = await usageOf(child);
      return usage.published >= published && usage.waiting === 0 && usage.heapMiB > 1 ? usage : undefined;
    },
    { timeoutMs: 300_000, intervalMs: 500 },
  );
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  child.disconnect();
  await gone;
}
