// Measures the cost of an Installation in a namespace that already has many. Compares the last batches of 100 with the first batches of the same run: the median of
// five at each end. Only the number of objects differs: services, API server and kind of Installation are the same. A first batch in another namespace only warms up.
// The restart at 20,000 objects and its memory have their own budgets.
import type { Installation } from "@landscaper/api";
import { resources } from "@landscaper/api";
import { waitFor } from "@landscaper/testkit";
import type { Environment } from "../../src/services/environment.ts";
import { startEnvironment } from "../../src/services/environment.ts";
import { openNamespace, type MeasuredNamespace } from "../measure/open-namespace.ts";
import { percentile } from "../measure/percentile.ts";
import { createDataObject, createInstallation, installationName } from "../measure/measured-installation.ts";
import { readProcessUsage } from "../measure/process-usage.ts";
import { runInParallel } from "../../src/kits/run-in-parallel.ts";
import { openWriteConnection, type WriteConnection } from "../measure/write-connection.ts";
import { listOverBudget, type Figure } from "../measure/judge-figures.ts";

export interface Batch {
  /** Installations in the namespace when the batch is done. */
  readonly total: number;
  readonly millisecondsEach: number;
  /** Processor time of each service per Installation, in ms. */
  readonly cpuEach: Readonly<Record<string, number>>;
}

export interface Restart {
  readonly installations: number;
  /** Of the kinds that the core caches. */
  readonly objects: number;
  /** From the start of the process. */
  readonly secondsToFirstWork: number;
  readonly secondsToFirstEnd: number;
  readonly peakRssMiB: Readonly<Record<string, number>>;
}

export interface ScaleBenchmark {
  readonly batches: readonly Batch[];
  readonly restart: Restart;
  /** Cost of an Installation in the last batches against the first. */
  readonly growth: number;
  readonly misses: readonly string[];
}

type ScaleFigures = Omit<ScaleBenchmark, "misses">;

export interface ScaleOptions {
  /** Installations in one namespace at the end. */
  readonly count: number;
  readonly inFlight: number;
  readonly announce: (line: string) => void;
}

/** At most; restart and memory count from `restartObjects` on. */
const budgets = { growth: 1.3, restartSeconds: 15, restartObjects: 20_000 };
const maxRssMiB: Readonly<Record<string, number>> = { "landscaper-core": 600, "manifest-deployer": 300 };
const largestBatch = 100;
/** Objects that the core caches for one Installation: Installation, import, its copy, copy of the Target, Execution, DeployItem, exports of the Execution and the Installation. */
const objectsEach = 8;
/** Number of batches at each end; their medians are compared. */
const comparedBatches = 5;

interface Bench extends ScaleOptions, MeasuredNamespace {
  readonly environment: Environment;
  readonly connection: WriteConnection;
}

async function createInstallations({ connection, namespace, inFlight }: Bench, from: number, count: number) {
  await runInParallel(count, inFlight, async (offset) => {
    const index = from + offset;
    await connection.create(resources.dataObject, createDataObject(namespace, index, `value ${index}`));
    await connection.create(resources.installation, createInstallation(namespace, index) as Installation); // of its type
  });
}

function readCpu({ environment }: Bench): Record<string, number> {
  return Object.fromEntries(
    environment.services.map(({ name, child }) => [name, readProcessUsage(child.pid).cpuSeconds * 1000]),
  );
}

async function runBatch(bench: Bench, from: number): Promise<Batch> {
  const batchSize = Math.min(largestBatch, bench.count);
  const cpu = readCpu(bench);
  const began = performance.now();
  await createInstallations(bench, from, batchSize);
  const total = from + batchSize;
  await bench.jobs.waitForAll(total, "finished");
  const milliseconds = performance.now() - began;
  const used = Object.entries(readCpu(bench)).map(([name, after]) => [name, (after - (cpu[name] ?? 0)) / batchSize]);
  return { total, millisecondsEach: milliseconds / batchSize, cpuEach: Object.fromEntries(used) };
}

/** Stops the services, leaves one Installation for them to find, and starts them. */
async function restart(bench: Bench, installations: number): Promise<Restart> {
  const { environment, namespace } = bench;
  await Promise.all(environment.services.map(async (service) => service.stop()));
  await createInstallations(bench, installations, 1);
  const key = { namespace, name: installationName(installations) };
  const began = performance.now();
  const isAt = async (isThere: (found: Installation) => boolean): Promise<number> => {
    const look = async (): Promise<boolean> => isThere(await environment.client.get(resources.installation, key));
    await waitFor(look, { timeoutMs: 120_000 });
    return (performance.now() - began) / 1000;
  };
  const started = Promise.all(environment.services.map(async (service) => service.start()));
  const secondsToFirstWork = await isAt(({ status }) => status?.jobID !== undefined);
  const secondsToFirstEnd = await isAt(({ status }) => status?.phase === "Succeeded");
  await started;
  const usages = environment.services.map(({ name, child }) => [name, readProcessUsage(child.pid).peakRssMiB]);
  const objects = (installations + 1) * objectsEach;
  return {
    installations: installations + 1,
    objects,
    secondsToFirstWork,
    secondsToFirstEnd,
    peakRssMiB: Object.fromEntries(usages),
  };
}

/** Returns one line per figure over its budget. */
export function listScaleMisses({ batches, restart, growth }: ScaleFigures): string[] {
  const { secondsToFirstWork, peakRssMiB } = restart;
  const ofRestart: readonly Figure[] = [
    ["seconds from the start to the first work", secondsToFirstWork, budgets.restartSeconds],
    ...Object.entries(peakRssMiB).map(
      ([name, peak]) => [`MiB of ${name}`, peak, maxRssMiB[name] ?? Number.NaN] as const,
    ),
  ];
  return listOverBudget([
    ...(batches.length < 2 * comparedBatches ? [] : [["growth of the cost", growth, budgets.growth] as const]),
    ...(restart.objects < budgets.restartObjects ? [] : ofRestart),
  ]);
}

/** Returns the figures that a run of this size does not judge, each with the reason. */
export function listUnjudged({ batches, restart }: ScaleFigures): string[] {
  return [
    ...(batches.length < 2 * comparedBatches ? [`growth of the cost: fewer than ${2 * comparedBatches} batches`] : []),
    ...(restart.objects < budgets.restartObjects
      ? [`restart and memory: fewer than ${budgets.restartObjects} objects at the restart`]
      : []),
  ];
}

async function grow(bench: Bench): Promise<ScaleBenchmark> {
  const { count, announce } = bench;
  const batches: Batch[] = [];
  let restarted: Restart | undefined;
  for (let total = 0; total < count;) {
    const batch = await runBatch(bench, total);
    batches.push(batch);
    total = batch.total;
    if (batches.length % 10 === 0) announce(`${total} Installations, ${batch.millisecondsEach.toFixed(0)} ms each ...`);
    const isLast = total >= count;
    if (restarted === undefined && (total * objectsEach >= budgets.restartObjects || isLast)) {
      announce(`restart with ${total} Installations ...`);
      restarted = await restart(bench, total);
      total += 1;
    }
  }
  if (restarted === undefined) throw new Error("the services were not restarted");
  const costOf = (some: readonly Batch[]): number =>
    percentile(
      some.map(({ millisecondsEach }) => millisecondsEach),
      0.5,
    );
  const growth = costOf(batches.slice(-comparedBatches)) / costOf(batches.slice(0, comparedBatches));
  const figures = { batches, restart: restarted, growth };
  return { ...figures, misses: listScaleMisses(figures) };
}

/** Fills one namespace of the real API server with Installations, batch by batch, and restarts the services on the way. */
export async function benchScale(options: ScaleOptions): Promise<ScaleBenchmark> {
  const services = ["landscaper-core", "manifest-deployer"] as const;
  const environment = await startEnvironment({ cluster: "real", services, logLevel: "info" });
  const { url, ca, token } = environment.hub;
  const connection = openWriteConnection({ url, ca, token, inFlight: options.inFlight });
  const start = async (name: string): Promise<Bench> => {
    const opened = await openNamespace(environment, name);
    return { ...options, ...opened, environment, connection };
  };
  try {
    options.announce("warming the services up ...");
    const warmUp = await start("warm-up");
    await runBatch(warmUp, 0);
    await warmUp.jobs.stop();
    const bench = await start("scale");
    try {
      return await grow(bench);
    } finally {
      await bench.jobs.stop();
    }
  } finally {
    await connection.close();
    await environment.stop();
  }
}
