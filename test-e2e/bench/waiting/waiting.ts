// Measures DeployItems that wait for readiness: their cost while nothing happens, and the delay until the deployer notices readiness. The delay lasts from the API server's
// answer to the write that makes an object ready until a watch of the bench shows the final phase, as a user would see it. Its budget is absolute, because no client
// can be faster than a watch. The pause before the quiet stretch is longer than any interval between checks of unchanged items.
import { setTimeout as sleep } from "node:timers/promises";
import type { ConfigMap, DeployItem } from "@landscaper/api";
import { kubeResources, resources } from "@landscaper/api";
import { waitFor } from "@landscaper/testkit";
import type { Environment } from "../../src/services/environment.ts";
import { startEnvironment } from "../../src/services/environment.ts";
import { runInParallel } from "../../src/kits/run-in-parallel.ts";
import { createNamespace } from "../measure/create-namespace.ts";
import { createTarget } from "../measure/measured-installation.ts";
import { percentile } from "../measure/percentile.ts";
import { readProcessUsage } from "../measure/process-usage.ts";
import { parsePrometheusText, sumBy } from "../measure/prometheus-text.ts";
import { createWaitingItems, type WaitingType } from "./waiting-items.ts";
import { watchJobs, type JobWatch } from "../measure/watch-jobs.ts";
import { openWriteConnection, type WriteConnection } from "../measure/write-connection.ts";
import { listOverBudget } from "../measure/judge-figures.ts";

export interface Delays {
  readonly count: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
}

export interface WaitingBenchmark {
  readonly type: WaitingType;
  readonly items: number;
  /** From the first create until all wait. */
  readonly secondsToWaiting: number;
  /** Until then: requests of all clients to the API server, and processor time of the deployer, for each item. */
  readonly perItem: { readonly requests: number; readonly cpuMs: number };
  /** While all wait: requests of all clients to the API server, and processor time of the deployer. */
  readonly quiet: { readonly seconds: number; readonly requestsPerSecond: number; readonly cpuPercent: number };
  /** From the answer of the write that makes an object ready to the item's final phase as a watch tells it. */
  readonly single: Delays;
  /** The same while all the others become ready, so many a second. */
  readonly spread: Delays & { readonly perSecond: number };
  readonly peakRssMiB: number;
  readonly misses: readonly string[];
}

export interface WaitingOptions {
  readonly type: WaitingType;
  readonly count: number;
  readonly inFlight: number;
  /** Whether the stretches without work are short. Their figures are meaningless then. */
  readonly isShort: boolean;
  readonly announce: (line: string) => void;
}

/** While all wait: at most 1000 items of the manifest deployer. */
const budgets = { rssMiB: 300, singleMs: 1000, quiet: { items: 1000, requestsPerSecond: 50, cpuPercent: 15 } };
const quietSeconds = 30;
/** Longer than the interval between checks of unchanged items. */
const settleSeconds = 36;
const shortSeconds = 1;
const singles = 20;
const spreadPerSecond = 50;

interface Bench extends WaitingOptions {
  readonly environment: Environment;
  readonly connection: WriteConnection;
  readonly namespace: string;
  readonly jobs: JobWatch;
}

const nameOf = (index: number): string => `waiting-${index}`;

async function createItems({ connection, namespace, count, inFlight, type }: Bench): Promise<void> {
  const createItem = await createWaitingItems(type);
  await runInParallel(count, inFlight, async (index) => {
    const created = await connection.create(resources.deployItem, createItem({ namespace, name: nameOf(index) }));
    const status = {
      observedGeneration: 0,
      jobID: `job-${index}`,
      jobIDGenerationTime: `${new Date().toISOString().slice(0, 19)}Z`,
    };
    await connection.update(resources.deployItem, { ...created, status }, "status");
  });
}

async function untilAllWait({ environment, namespace, count }: Bench): Promise<void> {
  const isWaiting = ({ status }: DeployItem): boolean =>
    status?.conditions?.some(({ message }) => (message ?? "").startsWith("waiting for readiness")) ?? false;
  const look = async (): Promise<boolean> => {
    const { items } = await environment.client.list(resources.deployItem, { namespace });
    return items.filter(isWaiting).length === count;
  };
  await waitFor(look, { timeoutMs: 300_000, intervalMs: 500 });
}

async function countRequests({ client }: Environment): Promise<number> {
  const text = await client.request({ method: "GET", path: "/metrics", accept: "text/plain", answer: "text" });
  return sumBy(parsePrometheusText(String(text)), "apiserver_request_total", [])[""] ?? 0;
}

async function measureQuiet({ environment, type, isShort }: Bench): Promise<WaitingBenchmark["quiet"]> {
  const { pid } = environment.service(`${type}-deployer`).child;
  const before = await countRequests(environment);
  const cpuBefore = readProcessUsage(pid).cpuSeconds;
  const began = performance.now();
  await sleep((isShort ? shortSeconds : quietSeconds) * 1000);
  const seconds = (performance.now() - began) / 1000;
  const cpuSeconds = readProcessUsage(pid).cpuSeconds - cpuBefore;
  const requests = (await countRequests(environment)) - before;
  return { seconds, requestsPerSecond: requests / seconds, cpuPercent: (cpuSeconds / seconds) * 100 };
}

/** Resolves to the time (performance.now()) of the API server's answer. */
async function makeReady({ environment, namespace }: Bench, index: number): Promise<number> {
  const patch = { type: "merge", body: { data: { ready: "yes" } } } as const;
  await environment.targetClient.patch<ConfigMap>(kubeResources.configMap, { namespace, name: nameOf(index) }, patch);
  return performance.now();
}

async function delaysOf({ jobs }: Bench, ready: ReadonlyMap<number, number>, finished: number): Promise<Delays> {
  const ends = await jobs.waitForAll(finished, "finished");
  const delays = [...ready].map(([index, at]) => (ends.get(nameOf(index)) ?? Number.NaN) - at);
  return {
    count: delays.length,
    p50Ms: percentile(delays, 0.5),
    p99Ms: percentile(delays, 0.99),
    maxMs: Math.max(...delays),
  };
}

/** One after the other, while everything else stands still. */
async function fulfilSingles(bench: Bench, count: number): Promise<Delays> {
  const ready = new Map<number, number>();
  for (let index = 0; index < count; index++) {
    ready.set(index, await makeReady(bench, index));
    await bench.jobs.waitForAll(index + 1, "finished");
    await sleep(250);
  }
  return await delaysOf(bench, ready, count);
}

async function fulfilRest(bench: Bench, from: number): Promise<Delays> {
  const ready = new Map<number, number>();
  const began = performance.now();
  const writes = Array.from({ length: bench.count - from }, async (_, offset) => {
    await sleep(Math.max(0, (offset / spreadPerSecond) * 1000 - (performance.now() - began)));
    ready.set(from + offset, await makeReady(bench, from + offset));
  });
  await Promise.all(writes);
  return await delaysOf(bench, ready, bench.count);
}

type Judged = Pick<WaitingBenchmark, "type" | "items" | "quiet" | "peakRssMiB" | "single">;

const isQuietJudged = ({ type, items }: Pick<Judged, "type" | "items">): boolean =>
  type === "manifest" && items <= budgets.quiet.items;

/** Returns the figures that a run of this size does not judge, each with the reason. */
export function listUnjudged(measured: Pick<Judged, "type" | "items">): string[] {
  const judged = `judged for at most ${budgets.quiet.items} items of the manifest deployer`;
  return isQuietJudged(measured) ? [] : [`requests and processor time while all wait: ${judged}`];
}

/** Returns one line per figure over its budget. */
export function listWaitingMisses(measured: Judged): string[] {
  const { quiet, peakRssMiB, single } = measured;
  return listOverBudget([
    ["MiB of the deployer", peakRssMiB, budgets.rssMiB],
    ["ms until the deployer notices readiness", single.maxMs, budgets.singleMs],
    ...(isQuietJudged(measured)
      ? ([
          ["requests a second while all wait", quiet.requestsPerSecond, budgets.quiet.requestsPerSecond],
          ["% of a processor while all wait", quiet.cpuPercent, budgets.quiet.cpuPercent],
        ] as const)
      : []),
  ]);
}

async function run(bench: Bench): Promise<WaitingBenchmark> {
  const { type, count, environment, announce } = bench;
  announce(`creating ${count} DeployItems ...`);
  const began = performance.now();
  const requestsBefore = await countRequests(environment);
  const { pid } = environment.service(`${type}-deployer`).child;
  const cpuBefore = readProcessUsage(pid).cpuSeconds;
  await createItems(bench);
  await untilAllWait(bench);
  const secondsToWaiting = (performance.now() - began) / 1000;
  const perItem = {
    requests: ((await countRequests(environment)) - requestsBefore) / count,
    cpuMs: ((readProcessUsage(pid).cpuSeconds - cpuBefore) * 1000) / count,
  };
  announce(`all wait after ${secondsToWaiting.toFixed(1)} s; letting them settle ...`);
  await sleep((bench.isShort ? shortSeconds : settleSeconds) * 1000);
  const quiet = await measureQuiet(bench);
  announce("making some ready, one after the other ...");
  const single = await fulfilSingles(bench, Math.min(singles, Math.ceil(count / 2)));
  announce(`making the others ready, ${spreadPerSecond} a second ...`);
  const spread = { ...(await fulfilRest(bench, single.count)), perSecond: spreadPerSecond };
  const { peakRssMiB } = readProcessUsage(environment.service(`${type}-deployer`).child.pid);
  const misses = listWaitingMisses({ type, items: count, quiet, peakRssMiB, single });
  return { type, items: count, secondsToWaiting, perItem, quiet, single, spread, peakRssMiB, misses };
}

/** DeployItems of one deployer on the real API server that wait for readiness, and how soon it is noticed. */
export async function benchWaiting(options: WaitingOptions): Promise<WaitingBenchmark> {
  const service = `${options.type}-deployer` as const;
  const environment = await startEnvironment({ cluster: "real", services: [service], logLevel: "info" });
  const { url, ca, token } = environment.hub;
  const connection = openWriteConnection({ url, ca, token, inFlight: options.inFlight });
  try {
    const namespace = await createNamespace(environment, "waiting");
    await environment.client.create(resources.target, createTarget(namespace, environment.targetKubeconfig) as never); // of the kind's type
    const jobs = await watchJobs(environment.client, namespace, resources.deployItem);
    try {
      return await run({ ...options, environment, connection, namespace, jobs });
    } finally {
      await jobs.stop();
    }
  } finally {
    await connection.close();
    await environment.stop();
  }
}
