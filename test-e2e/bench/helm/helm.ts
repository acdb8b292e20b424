// Compares rendering whole charts with Helm's engine in a Go program: the same charts and values, and an error if the rendered files differ. On both sides, "warm"
// renders a chart that has been read and compiled, and "cold" reads the chart from disk each time. Both measure only this work, inside their process, and take
// turns. The first round only warms up. Memory and the large chart have absolute budgets.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { TemplateError } from "@landscaper/gotemplate";
import { ChartError, CompiledCharts } from "@landscaper/helm";
import { buildOracle } from "../../oracles/build-oracle.ts";
import { tellLeftOut } from "../../src/examples/sample-folder.ts";
import { type HelmCase, helmCases, largeCase } from "./helm-cases.ts";
import { filesOf, loadCase, type LoadedChart, renderCold, renderLoaded } from "./helm-engine.ts";
import { LineProcess } from "../measure/line-process.ts";
import { type Comparison, geometricMean, repeatFor, takeTurns, type TurnOptions } from "../measure/take-turns.ts";
import { listOverBudget } from "../measure/judge-figures.ts";

/** What users wait for, and what it costs. */
export interface LargeMilliseconds {
  readonly wall: number;
  readonly processor: number;
}

/** One chart in both engines. */
export interface HelmMeasure {
  readonly name: string;
  /** Characters of the rendered files. */
  readonly outputSize: number;
  readonly warm: Comparison;
  readonly cold: Comparison;
  /** Our engine as Helm 4 compared with our engine as Helm 3; undefined if Helm 4 rejects the chart. */
  readonly versions: VersionMeasure | undefined;
}

export interface VersionMeasure {
  readonly warm: Comparison;
  readonly cold: Comparison;
}

export interface HelmBenchmark {
  readonly charts: readonly HelmMeasure[];
  /** Geometric means of the ratios of all charts. */
  readonly warmRatio: number;
  readonly coldRatio: number;
  /** Geometric means of our engine as Helm 4 to our engine as Helm 3. */
  readonly versionRatios: { readonly warm: number; readonly cold: number };
  /** Of a warm rendering of the large chart, of the fastest of many: others may use the machine, too. */
  readonly large: LargeMilliseconds;
  /** What reading and rendering the large chart once adds to the peak of a process. */
  readonly memoryMiB: number;
  /** Figures that miss what is asked for; empty when all is well. */
  readonly misses: readonly string[];
}

/** Ours to Helm's over the set, and what one rendering of the large chart may take. */
const budgets = { warmRatio: 1, coldRatio: 2, versionRatio: 1.1, largeMilliseconds: 150, memoryMiB: 150 };

const largeRounds = 30;

interface GoAnswer {
  readonly nanoseconds: number;
  readonly out?: Readonly<Record<string, string>>;
  readonly error?: string;
}

async function ask(go: LineProcess, question: object): Promise<GoAnswer> {
  const answer = (await go.ask(question)) as GoAnswer; // the oracle's line
  if (answer.error !== undefined) throw new Error(`Helm: ${answer.error}`);
  return answer;
}

/** Measures one chart in both engines, after checking that they make the same of it. */
async function measureChart(go: LineProcess, given: HelmCase, options: TurnOptions): Promise<HelmMeasure> {
  const { name, chart, values = "" } = given;
  const loaded = await loadCase(given);
  const files = filesOf(loaded);
  const { out = {} } = await ask(go, { chart, values, out: true });
  if (!isDeepStrictEqual(files, { ...out })) throw new Error(`chart ${name}: our output differs from Helm's`);
  const compiled = new CompiledCharts();
  const warm = await takeTurns(
    (milliseconds) => repeatFor(milliseconds, () => renderLoaded(loaded, compiled)),
    async (milliseconds) => (await ask(go, { chart, values, milliseconds })).nanoseconds,
    options,
  );
  const cold = await takeTurns(
    async (milliseconds) => repeatAsync(milliseconds, async () => renderCold(given)),
    async (milliseconds) => (await ask(go, { chart, values, milliseconds, cold: true })).nanoseconds,
    options,
  );
  const outputSize = Object.values(files).reduce((size, text) => size + text.length, 0);
  return { name, outputSize, warm, cold, versions: await measureVersions(given, options) };
}

async function measureVersions(given: HelmCase, options: TurnOptions): Promise<VersionMeasure | undefined> {
  const as3 = await loadCase(given, "3");
  const as4 = await loadForHelm4(given);
  if (as4 === undefined) return undefined;
  const [compiled3, compiled4] = [new CompiledCharts(), new CompiledCharts()];
  const warm = await takeTurns(
    (milliseconds) => repeatFor(milliseconds, () => renderLoaded(as4, compiled4)),
    (milliseconds) => repeatFor(milliseconds, () => renderLoaded(as3, compiled3)),
    options,
  );
  const cold = await takeTurns(
    async (milliseconds) => repeatAsync(milliseconds, async () => renderCold(given, "4")),
    async (milliseconds) => repeatAsync(milliseconds, async () => renderCold(given, "3")),
    options,
  );
  return { warm, cold };
}

async function loadForHelm4(given: HelmCase): Promise<LoadedChart | undefined> {
  try {
    const loaded = await loadCase(given, "4");
    renderLoaded(loaded, new CompiledCharts());
    return loaded;
  } catch (error) {
    if (error instanceof ChartError || error instanceof TemplateError) return undefined;
    throw error;
  }
}

async function repeatAsync(milliseconds: number, turn: () => Promise<void>): Promise<number> {
  const started = performance.now();
  for (let count = 1; ; count++) {
    await turn();
    const elapsed = performance.now() - started;
    if (elapsed >= milliseconds) return (elapsed / count) * 1e6;
  }
}

/** The fastest of many warm renderings, by either clock. */
async function fastestMilliseconds(given: HelmCase, rounds: number): Promise<LargeMilliseconds> {
  const loaded = await loadCase(given);
  const compiled = new CompiledCharts();
  const fastest = { wall: Number.POSITIVE_INFINITY, processor: Number.POSITIVE_INFINITY };
  for (let round = 0; round < rounds; round++) {
    const before = process.cpuUsage();
    const began = performance.now();
    renderLoaded(loaded, compiled);
    fastest.wall = Math.min(fastest.wall, performance.now() - began);
    const { user, system } = process.cpuUsage(before);
    fastest.processor = Math.min(fastest.processor, (user + system) / 1000);
  }
  return fastest;
}

function versionRatiosOf(charts: readonly HelmMeasure[]): HelmBenchmark["versionRatios"] {
  const versions = charts.flatMap((chart) => (chart.versions === undefined ? [] : [chart.versions]));
  return {
    warm: geometricMean(versions.map(({ warm }) => warm.ratio)),
    cold: geometricMean(versions.map(({ cold }) => cold.ratio)),
  };
}

function measureMemory({ chart }: HelmCase): number {
  const program = join(import.meta.dirname, "helm-memory.ts");
  return Number(execFileSync(process.execPath, [program, chart], { encoding: "utf8" }));
}

function findMisses(measured: Omit<HelmBenchmark, "misses">): string[] {
  return listOverBudget([
    ["warm rendering to Helm's", measured.warmRatio, budgets.warmRatio],
    ["cold rendering to Helm's", measured.coldRatio, budgets.coldRatio],
    ["warm rendering as Helm 4 to rendering as Helm 3", measured.versionRatios.warm, budgets.versionRatio],
    ["cold rendering as Helm 4 to rendering as Helm 3", measured.versionRatios.cold, budgets.versionRatio],
    ["ms for the large chart, warm", measured.large.wall, budgets.largeMilliseconds],
    ["ms of processor time for the large chart, warm", measured.large.processor, budgets.largeMilliseconds],
    ["MiB for the large chart", measured.memoryMiB, budgets.memoryMiB],
  ]);
}

/** Measures whole charts beside Helm's engine in a Go program, taking turns. */
export async function benchHelm(
  options: TurnOptions & { readonly isShort: boolean; readonly announce: (line: string) => void },
): Promise<HelmBenchmark> {
  const { announce, isShort } = options;
  const go = new LineProcess(buildOracle("helm", announce).program, ["render"]);
  const folder = mkdtempSync(join(tmpdir(), "bench-helm-"));
  try {
    const cases = await helmCases(folder);
    const chosen = isShort ? cases.filter(({ name }, index) => index === 0 || name === largeCase) : cases;
    announce(`${chosen.length} charts${tellLeftOut(process.env)} ...`);
    const charts: HelmMeasure[] = [];
    for (const each of chosen) charts.push(await measureChart(go, each, options));
    const large = cases.find(({ name }) => name === largeCase);
    const measured = {
      charts,
      warmRatio: geometricMean(charts.map(({ warm }) => warm.ratio)),
      coldRatio: geometricMean(charts.map(({ cold }) => cold.ratio)),
      versionRatios: versionRatiosOf(charts),
      large:
        large === undefined
          ? { wall: Number.NaN, processor: Number.NaN }
          : await fastestMilliseconds(large, isShort ? 1 : largeRounds),
      memoryMiB: large === undefined ? Number.NaN : measureMemory(large),
    };
    return { ...measured, misses: findMisses(measured) };
  } finally {
    go.stop();
    rmSync(folder, { recursive: true });
  }
}
