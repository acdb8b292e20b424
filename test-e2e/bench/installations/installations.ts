import { resources } from "@landscaper/api";
import type { Environment } from "../../src/services/environment.ts";
import { startEnvironment } from "../../src/services/environment.ts";
import { triggerJob } from "../../src/namespaces/trigger-job.ts";
import { createNamespace } from "../measure/create-namespace.ts";
import { openNamespace } from "../measure/open-namespace.ts";
import type { PhaseMeasure } from "../measure/measure.ts";
import { measurePhase, requestsOf } from "../measure/measure.ts";
import { measureSingleJobs, type SingleJobs } from "./single-jobs.ts";
import { createDataObject, createInstallation, installationName } from "../measure/measured-installation.ts";
import { runRawClient } from "./raw-client.ts";
import { removeRawObjects } from "./remove-raw-objects.ts";
import { runInParallel } from "../../src/kits/run-in-parallel.ts";
import type { JobWatch } from "../measure/watch-jobs.ts";
import { openWriteConnection } from "../measure/write-connection.ts";
import type { WriteConnection } from "../measure/write-connection.ts";

export interface InstallationsBenchmark {
  readonly count: number;
  readonly inFlight: number;
  /** Seconds of the raw client before and after. */
  readonly rawSeconds: readonly [number, number];
  readonly phases: readonly PhaseMeasure[];
  readonly single: SingleJobs;
  readonly misses: readonly string[];
}

/** design.md §6 and the issue on speed: seconds to those of the raw client, which creates; memory in MiB, of a count of Installations. */
const budgets = {
  toRaw: { create: 1.5, update: 1.5, delete: 2 },
  requestsEach: 30,
  secondsOfOne: 0.3,
  requestsOfNoOp: 12,
  peakRssMiB: { count: 500, services: { "landscaper-core": 350, "manifest-deployer": 220 } },
} as const;

export interface BenchmarkOptions {
  readonly count: number;
  readonly inFlight: number;
  readonly announce: (line: string) => void;
}

interface Bench extends BenchmarkOptions {
  readonly environment: Environment;
  readonly connection: WriteConnection;
}

/** The services have to be down: they would work on what the raw client makes. */
async function measureRawClient(bench: Bench, name: string, count: number): Promise<number> {
  const { connection, inFlight, environment } = bench;
  const namespace = await createNamespace(bench.environment, name);
  const kubeconfig = environment.targetKubeconfig;
  const milliseconds = await runRawClient({ connection, namespace, count, inFlight, kubeconfig });
  await removeRawObjects(environment.client, namespace, inFlight);
  return milliseconds / 1000;
}

interface Round {
  readonly namespace: string;
  readonly count: number;
  readonly jobs: JobWatch;
}

async function createAll({ connection, inFlight }: Bench, { namespace, count, jobs }: Round): Promise<number[]> {
  const started = new Map<string, number>();
  await runInParallel(count, inFlight, async (index) => {
    await connection.create(resources.dataObject, createDataObject(namespace, index, `value ${index}`));
    started.set(installationName(index), performance.now());
    await connection.create(resources.installation, createInstallation(namespace, index) as never); // of the kind's type
  });
  const finished = await jobs.waitForAll(count, "finished");
  return [...finished].map(([name, time]) => time - (started.get(name) ?? 0));
}

async function updateAll({ environment, inFlight }: Bench, { namespace, count, jobs }: Round): Promise<number[]> {
  const { client } = environment;
  const started = new Map<string, number>();
  jobs.reset();
  await runInParallel(count, inFlight, async (index) => {
    const name = installationName(index);
    const value = { type: "merge", body: { data: `changed ${index}` } } as const;
    await client.patch(resources.dataObject, { namespace, name: `value-${index}` }, value);
    started.set(name, performance.now());
    await triggerJob(client, resources.installation, { namespace, name });
  });
  const finished = await jobs.waitForAll(count, "finished");
  return [...finished].map(([name, time]) => time - (started.get(name) ?? 0));
}

async function deleteAll({ environment, inFlight }: Bench, { namespace, count, jobs }: Round): Promise<number[]> {
  const started = new Map<string, number>();
  jobs.reset();
  await runInParallel(count, inFlight, async (index) => {
    const name = installationName(index);
    started.set(name, performance.now());
    await environment.client.delete(resources.installation, { namespace, name });
  });
  const gone = await jobs.waitForAll(count, "gone");
  return [...gone].map(([name, time]) => time - (started.get(name) ?? 0));
}

async function runPhases(bench: Bench, name: string, count: number): Promise<PhaseMeasure[]> {
  const { environment, announce } = bench;
  const { namespace, jobs } = await openNamespace(environment, name);
  const round = { namespace, count, jobs };
  try {
    const phases: PhaseMeasure[] = [];
    for (const [phase, work] of [
      ["create", createAll],
      ["update", updateAll],
      ["delete", deleteAll],
    ] as const) {
      announce(`${phase} ${count} Installations ...`);
      phases.push(await measurePhase(environment, phase, async () => work(bench, round)));
    }
    return phases;
  } finally {
    await jobs.stop();
  }
}

function toRawBudget(phase: string): number {
  const found = Object.entries(budgets.toRaw).find(([name]) => name === phase);
  if (found === undefined) throw new Error(`there is no budget for the phase "${phase}"`);
  return found[1];
}

/** Peaks of the services, where there were no more Installations than the budget says. */
function listMemory(count: number, phases: readonly PhaseMeasure[]): readonly (readonly [string, number, number])[] {
  const { count: largest, services } = budgets.peakRssMiB;
  if (count > largest) return [];
  return Object.entries(services).map(([name, budget]) => {
    const peaks = phases.flatMap((phase) => phase.services.filter((service) => service.name === name));
    const most = peaks.length === 0 ? Number.NaN : Math.max(...peaks.map(({ peakRssMiB }) => peakRssMiB));
    return [`MiB of ${name}`, most, budget] as const;
  });
}

/** Figures that do not meet their budgets, in words. */
export function listMisses({ count, rawSeconds, phases, single }: Omit<InstallationsBenchmark, "misses">): string[] {
  const raw = (rawSeconds[0] + rawSeconds[1]) / 2;
  const figures = [
    ...phases.map(({ phase, seconds }) => [`${phase} to raw`, seconds / raw, toRawBudget(phase)] as const),
    ...listMemory(count, phases),
    ...phases.map(
      (phase) => [`requests each, ${phase.phase}`, requestsOf(phase) / count, budgets.requestsEach] as const,
    ),
    ["seconds of one on an idle system", single.secondsOfOne, budgets.secondsOfOne] as const,
    ["requests of a job that changes nothing", single.requestsOfNoOp, budgets.requestsOfNoOp] as const,
  ];
  return figures
    .filter(([, figure, most]) => !(figure <= most))
    .map(([name, figure, most]) => `${name}: ${figure.toFixed(2)}, the budget is ${most}`);
}

/** Creates, updates and deletes `count` Installations on the real API server, beside the raw client on the same one. */
export async function benchInstallations(options: BenchmarkOptions): Promise<InstallationsBenchmark> {
  const { count, inFlight, announce } = options;
  const services = ["landscaper-core", "manifest-deployer"] as const;
  const environment = await startEnvironment({ cluster: "real", services, logLevel: "info" });
  const { url, ca, token } = environment.hub;
  const connection = openWriteConnection({ url, ca, token, inFlight });
  try {
    const bench: Bench = { ...options, environment, connection };
    await Promise.all(environment.services.map(async (service) => service.stop()));
    announce(`raw client, ${count} Installations ...`);
    await measureRawClient(bench, "warm-up-raw", 20);
    const before = await measureRawClient(bench, "raw-before", count);
    await Promise.all(environment.services.map(async (service) => service.start()));
    // Once for nothing: code is compiled, connections are open.
    announce("warming the services up ...");
    await runPhases({ ...bench, announce: () => undefined }, "warm-up", 20);
    announce("jobs one after the other ...");
    const single = await measureSingleJobs(environment);
    const phases = await runPhases(bench, "bench", count);
    await Promise.all(environment.services.map(async (service) => service.stop()));
    announce(`raw client, ${count} Installations ...`);
    const after = await measureRawClient(bench, "raw-after", count);
    const measured = { count, inFlight, rawSeconds: [before, after] as const, phases, single };
    return { ...measured, misses: listMisses(measured) };
  } finally {
    await connection.close();
    await environment.stop();
  }
}
