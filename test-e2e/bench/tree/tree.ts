// Measures a tree of Installations 1 -> 5 -> 25 in which each leaf imports the export of the leaf before it: seconds from create to Succeeded on an idle real API server.
// The budget in seconds is for this size on a machine with 2 cores. Each round has its own namespace, the median counts, and a first tree only warms up. There is no raw
// client: most of the time, each step of the chain waits for the step before, and a raw client would have to wait, too.
import type { DataObject } from "@landscaper/api";
import { resources } from "@landscaper/api";
import type { Environment } from "../../src/services/environment.ts";
import { startEnvironment } from "../../src/services/environment.ts";
import { dataObject } from "../../src/installations/inline-installation.ts";
import { triggerJob } from "../../src/namespaces/trigger-job.ts";
import { measurePhase, type PhaseMeasure } from "../measure/measure.ts";
import { createTree, treeResult, treeSize, type TreeShape } from "./measured-tree.ts";
import { openNamespace, type MeasuredNamespace } from "../measure/open-namespace.ts";
import { percentile } from "../measure/percentile.ts";
import { listOverBudget } from "../measure/judge-figures.ts";

export interface TreeBenchmark {
  readonly installations: number;
  readonly rounds: readonly (readonly PhaseMeasure[])[];
  readonly misses: readonly string[];
}

export interface TreeOptions extends TreeShape {
  readonly rounds: number;
  /** Whether an uncounted first tree warms the services up. */
  readonly warmUp: boolean;
  readonly announce: (line: string) => void;
}

/** Seconds from create to Succeeded, at most. */
const budgetSeconds = 8;
const root = "tree";

interface Round extends MeasuredNamespace {
  readonly environment: Environment;
  readonly shape: TreeShape;
}

async function runJob({ environment, namespace, jobs, shape }: Round, start: number, trigger: () => Promise<unknown>) {
  const began = performance.now();
  jobs.reset();
  await trigger();
  const finished = await jobs.waitForAll(treeSize(shape), "finished");
  const end: DataObject = await environment.client.get(resources.dataObject, { namespace, name: "end" });
  const wanted = treeResult(start, shape);
  if (end.data !== wanted) throw new Error(`the tree exports ${String(end.data)}, not ${wanted}`);
  return [...finished.values()].map((time) => time - began);
}

async function createAll(round: Round): Promise<number[]> {
  const { client } = round.environment;
  const { namespace } = round;
  const start = dataObject("start", 0);
  await client.create(resources.dataObject, { ...start, metadata: { ...start.metadata, namespace } });
  const tree = createTree(root, namespace, round.shape);
  return runJob(round, 0, () =>
    client.create(resources.installation, { ...tree, metadata: { ...tree.metadata, namespace } } as never),
  );
}

async function updateAll(round: Round): Promise<number[]> {
  const { client } = round.environment;
  const { namespace } = round;
  return runJob(round, 100, async () => {
    await client.patch(resources.dataObject, { namespace, name: "start" }, { type: "merge", body: { data: 100 } });
    await triggerJob(client, resources.installation, { namespace, name: root });
  });
}

async function deleteAll({ environment, namespace, jobs, shape }: Round): Promise<number[]> {
  const began = performance.now();
  jobs.reset();
  await environment.client.delete(resources.installation, { namespace, name: root });
  const gone = await jobs.waitForAll(treeSize(shape), "gone");
  return [...gone.values()].map((time) => time - began);
}

async function runRound(environment: Environment, shape: TreeShape, name: string): Promise<PhaseMeasure[]> {
  const opened = await openNamespace(environment, name);
  const round = { environment, shape, ...opened };
  try {
    return [
      await measurePhase(environment, "create", () => createAll(round)),
      await measurePhase(environment, "update", () => updateAll(round)),
      await measurePhase(environment, "delete", () => deleteAll(round)),
    ];
  } finally {
    await opened.jobs.stop();
  }
}

/** Measures a tree of Installations, 1 -> 5 -> 25 for the width 5, each leaf importing what the one before it exports, on an idle real API server. */
export async function benchTree(options: TreeOptions): Promise<TreeBenchmark> {
  const services = ["landscaper-core", "manifest-deployer"] as const;
  const environment = await startEnvironment({ cluster: "real", services, logLevel: "info" });
  try {
    if (options.warmUp) {
      options.announce("warming the services up ...");
      await runRound(environment, options, "warm-up");
    }
    const rounds: PhaseMeasure[][] = [];
    for (let index = 0; index < options.rounds; index++) {
      options.announce(`tree ${index + 1} of ${options.rounds} ...`);
      rounds.push(await runRound(environment, options, `tree-${index}`));
    }
    const creates = rounds.flat().filter(({ phase }) => phase === "create");
    const seconds = percentile(
      creates.map((create) => create.seconds),
      0.5,
    );
    const misses = listOverBudget([["seconds to create the tree", seconds, budgetSeconds]]);
    return { installations: treeSize(options), rounds, misses };
  } finally {
    await environment.stop();
  }
}
