// Compares starts of the command and of services with an empty Node, the lower bound for any program on Node. Compares `helm template` of whole charts with the real
// helm: both are whole processes with the same arguments, and the bench checks that they print the same. They take turns; the first round only warms up, so that V8's
// compiled code is in its cache; medians count. Commands are judged by processor time (user and system), which other work on the machine changes less than wall time.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { kubeResources } from "@landscaper/api";
import { connectionFromKubeconfig, createClient } from "@landscaper/controller-runtime";
import { startLocalCluster } from "@landscaper/local-cluster";
import { buildOracle } from "../../oracles/build-oracle.ts";
import { firstLogLine } from "../../src/services/first-log-line.ts";
import { tellLeftOut } from "../../src/examples/sample-folder.ts";
import { type ChartCall, chartCalls, writeSmallChart } from "./cli-charts.ts";
import { percentile } from "../measure/percentile.ts";
import { listOverBudget } from "../measure/judge-figures.ts";
import { readChildrenCpuSeconds } from "../measure/process-usage.ts";
import { takeTurns } from "../measure/take-turns.ts";

/** One program beside another; medians of times in ms. */
export interface CliMeasure {
  readonly name: string;
  /** Wall time of services, which start once they log their first line; processor time of commands. */
  readonly clock: "wall" | "processor";
  readonly ourMilliseconds: number;
  readonly theirMilliseconds: number;
  readonly ratio: number;
  /** The ratio at most. */
  readonly budget: number;
}

export interface CliBenchmark {
  /** Beside `node -e 0`. */
  readonly starts: readonly CliMeasure[];
  /** Beside the real helm. */
  readonly charts: readonly CliMeasure[];
  readonly medianRatio: number;
  readonly misses: readonly string[];
}

export interface CliOptions {
  readonly rounds: number;
  /** True to measure only one service and one chart, and to run each command once per turn. */
  readonly isShort: boolean;
  readonly announce: (line: string) => void;
}

/** Of starts to an empty Node, of charts to the real helm. */
const budgets = { help: 2.3, small: 3, cold: 4.5, spiff: 4, service: 5, chart: 1, publicChart: 2.5 };

/** Calls of a command per turn. Linux counts the processor time of ended processes in steps of 10 ms, so one call is too inexact. */
const runsPerTurn = { start: 5, chart: 3 };
const shortRunsPerTurn: typeof runsPerTurn = { start: 1, chart: 1 };

const root = join(import.meta.dirname, "../../..");
const command = join(root, "bin/landscaper");
const node = join(root, "node_modules/node/bin/node");
const services = ["landscaper-core", "manifest-deployer", "helm-deployer", "mock-deployer"];

interface Call {
  readonly program: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Returns what the call prints to stdout. */
function run({ program, args, env }: Call): string {
  const options = { encoding: "utf8", maxBuffer: 1 << 28, env: { ...process.env, ...env } } as const;
  const { status, stdout, stderr } = spawnSync(program, args, options);
  if (status !== 0 || stderr.startsWith("warning")) throw new Error(`${program} ${args.join(" ")}: ${stderr}`);
  return stdout;
}

/** Returns the processor time of one call in ms, the mean of `count` calls. */
function processorTimeOf(call: Call, count: number): number {
  const before = readChildrenCpuSeconds();
  for (let index = 0; index < count; index++) run(call);
  return ((readChildrenCpuSeconds() - before) * 1000) / count;
}

/** Returns the wall time of a call in ms. */
function wallTimeOf(call: Call): number {
  const started = performance.now();
  run(call);
  return performance.now() - started;
}

type Timed = () => number | Promise<number>;

async function compare(
  { name, clock, budget }: Pick<CliMeasure, "name" | "clock" | "budget">,
  [ours, theirs]: readonly [Timed, Timed],
  rounds: number,
): Promise<CliMeasure> {
  const compared = await takeTurns(ours, theirs, { rounds, milliseconds: 0 });
  const { ours: ourMilliseconds, theirs: theirMilliseconds, ratio } = compared;
  return { name, clock, budget, ourMilliseconds, theirMilliseconds, ratio };
}

const emptyNode: Call = { program: node, args: ["-e", "0"] };

/** Number of turns of a comparison (`rounds`), and calls of each command per turn. */
interface Turns {
  readonly rounds: number;
  readonly runs: typeof runsPerTurn;
}

async function measureCommands(folder: string, { rounds, runs }: Turns): Promise<CliMeasure[]> {
  const template = join(folder, "small.yaml");
  writeFileSync(template, "a: (( b + 1 ))\nb: 2\n");
  const small = writeSmallChart(join(folder, "small"));
  const renderSmall: Call = { program: command, args: ["helm", "template", small] };
  const calls: readonly (readonly [string, Call, number])[] = [
    ["--help", { program: command, args: ["--help"] }, budgets.help],
    ["helm template, small", renderSmall, budgets.small],
    ["the same without a cache", { ...renderSmall, env: { NODE_DISABLE_COMPILE_CACHE: "1" } }, budgets.cold],
    ["spiff merge, small", { program: command, args: ["spiff", "merge", template] }, budgets.spiff],
  ];
  const measures: CliMeasure[] = [];
  for (const [name, call, budget] of calls) {
    const [ours, theirs] = [call, emptyNode].map((one) => () => processorTimeOf(one, runs.start)) as [Timed, Timed];
    measures.push(await compare({ name, clock: "processor", budget }, [ours, theirs], rounds));
  }
  return measures;
}

/** The core first: it makes the kinds that the deployers watch. */
async function measureServices(folder: string, services: readonly string[], rounds: number): Promise<CliMeasure[]> {
  const cluster = await startLocalCluster();
  const client = createClient({ connection: connectionFromKubeconfig(cluster.kubeconfig) });
  try {
    await client.create(kubeResources.namespace, {
      apiVersion: "v1",
      kind: "Namespace",
      metadata: { name: "ls-system" },
    });
    const kubeconfig = join(folder, "kubeconfig.yaml");
    writeFileSync(kubeconfig, cluster.kubeconfig, { mode: 0o600 });
    const measures: CliMeasure[] = [];
    for (const service of services) {
      const args = [join(root, "dist", `${service}.mjs`), "--kubeconfig", kubeconfig, "--metrics-port", "0"];
      const start = async (): Promise<number> => (await firstLogLine(node, args)).milliseconds;
      measures.push(
        await compare(
          { name: service, clock: "wall", budget: budgets.service },
          [start, () => wallTimeOf(emptyNode)],
          rounds,
        ),
      );
    }
    return measures;
  } finally {
    await client.close();
    await cluster.stop();
  }
}

async function measureChart(
  helm: string,
  { name, words, isOwn, random }: ChartCall,
  { rounds, runs }: Turns,
): Promise<CliMeasure> {
  const ours: Call = { program: command, args: ["helm", "template", ...words] };
  const theirs: Call = { program: helm, args: ["template", ...words] };
  if (!random && run(ours) !== run(theirs)) throw new Error(`chart ${name}: our output differs from Helm's`);
  const timed = [ours, theirs].map((call) => () => processorTimeOf(call, runs.chart)) as [Timed, Timed];
  return await compare(
    { name, clock: "processor", budget: isOwn ? budgets.chart : budgets.publicChart },
    timed,
    rounds,
  );
}

function findMisses(measures: readonly CliMeasure[]): string[] {
  return listOverBudget(measures.map(({ name, ratio, budget }) => [name, ratio, budget] as const));
}

/** Measures starts beside an empty Node, and whole charts beside the real helm, as processes that take turns. */
export async function benchCli({ rounds, isShort, announce }: CliOptions): Promise<CliBenchmark> {
  const some = <T>(all: readonly T[]): readonly T[] => (isShort ? all.slice(0, 1) : all);
  const turns = { rounds, runs: isShort ? shortRunsPerTurn : runsPerTurn };
  const helm = join(buildOracle("helm", announce).folder, "helm");
  const folder = mkdtempSync(join(tmpdir(), "bench-cli-"));
  try {
    announce("starts ...");
    const starts = [
      ...(await measureCommands(folder, turns)),
      ...(await measureServices(folder, some(services), rounds)),
    ];
    const calls = some(chartCalls(folder));
    announce(`${calls.length} charts${tellLeftOut(process.env)} ...`);
    const charts: CliMeasure[] = [];
    for (const call of calls) charts.push(await measureChart(helm, call, turns));
    const medianRatio = percentile(
      charts.map(({ ratio }) => ratio),
      0.5,
    );
    return { starts, charts, medianRatio, misses: findMisses([...starts, ...charts]) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
