// Compares starts of the command and of services with an empty Node, the lower bound for any program on Node. Compares `helm template` of whole charts with the real
// helm: both are whole processes with the same arguments, and the bench checks that they print the same. They take turns; the first round only warms up; medians count.
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
import { takeTurns } from "../measure/take-turns.ts";

/** One program beside another; medians of wall times in ms. */
export interface CliMeasure {
  readonly name: string;
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
  /** Whether the bench measures only one service and one chart. */
  readonly isShort: boolean;
  readonly announce: (line: string) => void;
}

/** Wall times: of starts to an empty Node, of charts to the real helm. */
const budgets = { help: 2.3, small: 4, service: 5, median: 1.5, chart: 2.5 };

const root = join(import.meta.dirname, "../../..");
const command = join(root, "bin/landscaper");
const node = join(root, "node_modules/node/bin/node");
const services = ["landscaper-core", "manifest-deployer", "helm-deployer", "mock-deployer"];

interface Run {
  readonly milliseconds: number;
  readonly stdout: string;
}

function run(program: string, args: readonly string[]): Run {
  const started = performance.now();
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: "utf8", maxBuffer: 1 << 28 });
  const milliseconds = performance.now() - started;
  if (status !== 0 || stderr.startsWith("warning")) throw new Error(`${program} ${args.join(" ")}: ${stderr}`);
  return { milliseconds, stdout };
}

type Timed = () => number | Promise<number>;

async function compare(
  { name, budget }: Pick<CliMeasure, "name" | "budget">,
  [ours, theirs]: readonly [Timed, Timed],
  rounds: number,
): Promise<CliMeasure> {
  const compared = await takeTurns(ours, theirs, { rounds, milliseconds: 0 });
  return { name, budget, ourMilliseconds: compared.ours, theirMilliseconds: compared.theirs, ratio: compared.ratio };
}

const emptyNode = (): number => run(node, ["-e", "0"]).milliseconds;

async function measureCommands(folder: string, rounds: number): Promise<CliMeasure[]> {
  const template = join(folder, "small.yaml");
  writeFileSync(template, "a: (( b + 1 ))\nb: 2\n");
  const small = writeSmallChart(join(folder, "small"));
  const calls: readonly (readonly [string, readonly string[], number])[] = [
    ["--help", ["--help"], budgets.help],
    ["helm template, small", ["helm", "template", small], budgets.small],
    ["spiff merge, small", ["spiff", "merge", template], budgets.small],
  ];
  const measures: CliMeasure[] = [];
  for (const [name, words, budget] of calls) {
    measures.push(await compare({ name, budget }, [() => run(command, words).milliseconds, emptyNode], rounds));
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
      measures.push(await compare({ name: service, budget: budgets.service }, [start, emptyNode], rounds));
    }
    return measures;
  } finally {
    await client.close();
    await cluster.stop();
  }
}

async function measureChart(helm: string, { name, words, random }: ChartCall, rounds: number): Promise<CliMeasure> {
  const ours = (): Run => run(command, ["helm", "template", ...words]);
  const theirs = (): Run => run(helm, ["template", ...words]);
  if (!random && ours().stdout !== theirs().stdout) throw new Error(`chart ${name}: our output differs from Helm's`);
  const engines = [() => ours().milliseconds, () => theirs().milliseconds] as const;
  return await compare({ name, budget: budgets.chart }, engines, rounds);
}

function findMisses(measures: readonly CliMeasure[], medianRatio: number): string[] {
  return listOverBudget([
    ...measures.map(({ name, ratio, budget }) => [name, ratio, budget] as const),
    ["median of the charts", medianRatio, budgets.median],
  ]);
}

/** Measures starts beside an empty Node, and whole charts beside the real helm, as processes that take turns. */
export async function benchCli({ rounds, isShort, announce }: CliOptions): Promise<CliBenchmark> {
  const some = <T>(all: readonly T[]): readonly T[] => (isShort ? all.slice(0, 1) : all);
  const helm = join(buildOracle("helm", announce).folder, "helm");
  const folder = mkdtempSync(join(tmpdir(), "bench-cli-"));
  try {
    announce("starts ...");
    const starts = [
      ...(await measureCommands(folder, rounds)),
      ...(await measureServices(folder, some(services), rounds)),
    ];
    const calls = some(chartCalls(folder));
    announce(`${calls.length} charts${tellLeftOut(process.env)} ...`);
    const charts: CliMeasure[] = [];
    for (const call of calls) charts.push(await measureChart(helm, call, rounds));
    const medianRatio = percentile(
      charts.map(({ ratio }) => ratio),
      0.5,
    );
    return { starts, charts, medianRatio, misses: findMisses([...starts, ...charts], medianRatio) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
