// Compares three ways to apply the same objects: kubectl apply --server-side, the library of deployers, and jobs of the manifest deployer. Raw writes of the same objects
// show the scale. All apply the same objects in the same revisions to the same API server, each in its own namespace, and the bench checks the result.
// Contenders take turns, forwards and backwards, so that none is always first. Medians of the rounds count; a first round only warms up.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { UnstructuredObject } from "@landscaper/api";
import type { Client } from "@landscaper/controller-runtime";
import { waitFor } from "@landscaper/testkit";
import type { Environment } from "../../src/services/environment.ts";
import { startEnvironment } from "../../src/services/environment.ts";
import { createNamespace } from "../measure/create-namespace.ts";
import { percentile } from "../measure/percentile.ts";
import { readProcessUsage } from "../measure/process-usage.ts";
import { parsePrometheusText } from "../measure/prometheus-text.ts";
import {
  createKubectlContender,
  createLibraryContender,
  createRawContender,
  type ComparedStrategy,
  type Contender,
} from "./resources-contenders.ts";
import { createJobContender } from "./resources-job.ts";
import { createObjects, measuredResources, measuredType, widgetDefinition } from "./resources-objects.ts";

/** New objects; the same again; the same again with one of ten changed. */
export const steps = ["create", "unchanged", "changed"] as const;
export type Step = (typeof steps)[number];

/** Medians over the rounds. */
export interface StepMeasure {
  readonly step: Step;
  readonly seconds: number;
  /** kubectl's time by ours: above 1 we are faster. */
  readonly timesFaster: number;
  /** Requests for objects of these kinds, by what the API server has counted. */
  readonly requestsEach: number;
  readonly cpuSeconds: number;
  /** Of all processes of the control plane. */
  readonly serverCpuSeconds: number;
}

export interface ContenderMeasure {
  readonly contender: string;
  readonly steps: readonly StepMeasure[];
}

export interface ResourcesBenchmark {
  readonly count: number;
  readonly rounds: number;
  readonly measures: readonly ContenderMeasure[];
  /** Of the manifest deployer. */
  readonly peakRssMiB: number;
  readonly misses: readonly string[];
}

export interface ResourcesOptions {
  readonly count: number;
  readonly rounds: number;
  /** Whether an uncounted first round compiles code, opens connections and discovers kinds. */
  readonly warmUp: boolean;
  readonly announce: (line: string) => void;
}

const budgets = { timesFaster: 3, requestsEach: 1 };
const strategies: readonly ComparedStrategy[] = ["update", "apply"];
const seed = 20_261_122;

type Sample = Omit<StepMeasure, "step" | "timesFaster">;
/** By contender and step, a sample for each round. */
type Samples = Map<string, Map<Step, Sample[]>>;

/** Requests of objects themselves: status is what controllers write. */
async function countRequests(client: Client): Promise<number> {
  const text = await client.request({ method: "GET", path: "/metrics", answer: "text" });
  return parsePrometheusText(String(text))
    .filter(({ name, labels }) => name === "apiserver_request_total" && labels["subresource"] === "")
    .filter(({ labels }) => labels["verb"] !== "WATCH" && measuredResources.has(labels["resource"] ?? ""))
    .reduce((sum, { value }) => sum + value, 0);
}

function readServerCpu({ hub }: Environment): number {
  return hub.children.reduce((sum, { pid }) => sum + readProcessUsage(pid).cpuSeconds, 0);
}

interface Call {
  readonly contender: Contender;
  readonly namespace: string;
  readonly objects: readonly UnstructuredObject[];
}

async function measureStep(environment: Environment, { contender, namespace, objects }: Call): Promise<Sample> {
  await contender.prepare?.(namespace, objects);
  const requests = await countRequests(environment.client);
  const serverCpu = readServerCpu(environment);
  const cpu = contender.cpuSeconds();
  const seconds = (await contender.apply(namespace, objects)) / 1000;
  const cpuSeconds = contender.cpuSeconds() - cpu;
  const serverCpuSeconds = readServerCpu(environment) - serverCpu;
  const requestsEach = ((await countRequests(environment.client)) - requests) / objects.length;
  return { seconds, requestsEach, cpuSeconds, serverCpuSeconds };
}

/** Throws an error unless all objects exist, in the revision that they have here. */
async function checkObjects(client: Client, objects: readonly UnstructuredObject[]): Promise<void> {
  const revisionOf = ({ metadata }: UnstructuredObject): string | undefined =>
    metadata.annotations?.["bench.example.org/revision"];
  const examples = new Map(objects.map((object) => [object.kind, object]));
  const revisions = new Map<string, string | undefined>();
  for (const [kind, { metadata, ...example }] of examples) {
    const type = measuredType({ ...example, metadata });
    const { items } = await client.list(type, type.namespaced ? { namespace: metadata.namespace } : {});
    for (const item of items) revisions.set(`${kind} ${item.metadata.name}`, revisionOf(item));
  }
  for (const object of objects) {
    const name = `${object.kind} ${object.metadata.name}`;
    const [found, expected] = [revisions.get(name), revisionOf(object)];
    if (found !== expected) throw new Error(`${name}: expected revision ${expected}, found ${found}`);
  }
}

interface Round {
  readonly name: string;
  readonly count: number;
  readonly samples: Samples;
}

async function runContender(environment: Environment, contender: Contender, round: Round): Promise<void> {
  const namespace = `${round.name}-${contender.name.replaceAll(/[^a-z]+/g, "-")}`;
  await createNamespace(environment, namespace);
  const samples = round.samples.get(contender.name) ?? new Map<Step, Sample[]>();
  round.samples.set(contender.name, samples);
  for (const step of contender.isForNewObjects === true ? steps.slice(0, 1) : steps) {
    const revision = step === "changed" ? 2 : 1;
    const objects = createObjects({ namespace, count: round.count, seed, revision });
    const sample = await measureStep(environment, { contender, namespace, objects });
    await checkObjects(environment.client, objects);
    samples.set(step, [...(samples.get(step) ?? []), sample]);
  }
}

function medianOf(samples: readonly Sample[], figure: keyof Sample): number {
  return percentile(
    samples.map((sample) => sample[figure]),
    0.5,
  );
}

function summarize(samples: Samples): ContenderMeasure[] {
  const reference = samples.get("kubectl");
  return [...samples].map(([contender, bySteps]) => ({
    contender,
    steps: [...bySteps].map(([step, some]) => ({
      step,
      seconds: medianOf(some, "seconds"),
      timesFaster: medianOf(reference?.get(step) ?? [], "seconds") / medianOf(some, "seconds"),
      requestsEach: medianOf(some, "requestsEach"),
      cpuSeconds: medianOf(some, "cpuSeconds"),
      serverCpuSeconds: medianOf(some, "serverCpuSeconds"),
    })),
  }));
}

/** Figures that do not meet their budgets, in words. */
export function listSlow(measures: readonly ContenderMeasure[]): string[] {
  const misses: string[] = [];
  for (const { contender, steps: measured } of measures) {
    if (!/, (library|job)$/.test(contender)) continue;
    for (const { step, timesFaster, requestsEach } of measured) {
      if (step === "create" && !(timesFaster >= budgets.timesFaster)) {
        const budget = `at least ${budgets.timesFaster} times is wanted`;
        misses.push(`${contender}: creates ${timesFaster.toFixed(2)} times as fast as kubectl, ${budget}`);
      }
      if (step === "unchanged" && !(requestsEach <= budgets.requestsEach)) {
        misses.push(`${contender}: ${requestsEach.toFixed(2)} requests for an unchanged object`);
      }
    }
  }
  return misses;
}

async function defineWidgets(client: Client): Promise<void> {
  const plural = "customresourcedefinitions";
  const [group = "", version = ""] = widgetDefinition.apiVersion.split("/");
  await client.create({ group, version, kind: widgetDefinition.kind, plural, namespaced: false }, widgetDefinition);
  const isServed = async (): Promise<boolean> =>
    client.request({ method: "GET", path: "/apis/bench.example.org/v1/widgets" }).then(
      () => true,
      () => false,
    );
  await waitFor(isServed);
}

async function runRounds(environment: Environment, contenders: readonly Contender[], options: ResourcesOptions) {
  const { count, rounds, warmUp, announce } = options;
  if (warmUp) announce("warming up ...");
  for (const contender of warmUp ? contenders : []) {
    await runContender(environment, contender, { name: "warm-up", count: Math.min(count, 200), samples: new Map() });
  }
  const samples: Samples = new Map(contenders.map(({ name }) => [name, new Map()]));
  for (let index = 0; index < rounds; index++) {
    announce(`round ${index + 1} of ${rounds} ...`);
    // Everybody is first at times: the objects of all fill the server.
    for (const contender of index % 2 === 0 ? contenders : contenders.toReversed()) {
      await runContender(environment, contender, { name: `round-${index}`, count, samples });
    }
  }
  return samples;
}

/** Brings the same objects to the real API server with kubectl, with the library and with the manifest deployer, in turn. */
export async function benchResources(options: ResourcesOptions): Promise<ResourcesBenchmark> {
  const environment = await startEnvironment({ cluster: "real", services: ["manifest-deployer"], logLevel: "info" });
  const folder = mkdtempSync(join(tmpdir(), "landscaper-bench-"));
  const contenders = [
    createKubectlContender(environment, folder),
    ...strategies.flatMap((strategy) => [
      createRawContender(environment, strategy),
      createLibraryContender(environment, strategy),
      createJobContender(environment, strategy),
    ]),
  ];
  try {
    await defineWidgets(environment.client);
    const measures = summarize(await runRounds(environment, contenders, options));
    const { peakRssMiB } = readProcessUsage(environment.service("manifest-deployer").child.pid);
    return { count: options.count, rounds: options.rounds, measures, peakRssMiB, misses: listSlow(measures) };
  } finally {
    await Promise.all(contenders.map(async (contender) => contender.stop()));
    await environment.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
