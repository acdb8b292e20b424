import { perturbAt, type JsonPath, type LandscaperError } from "@landscaper/api";
import { findInIndex, type IndexEntry, type IndexQuery } from "@landscaper/chart-source";
import {
  checkDependencies,
  CompiledCharts,
  changesLoading,
  isGzip,
  loadChartArchive,
  loadHybrid,
  type DifferenceName,
  type Chart,
  type HelmVersion,
  type LookupQuery,
} from "@landscaper/helm";
import type { ErrorData } from "@landscaper/threads";
import type { HelmConfig } from "../helm-config.ts";
import { composeValues } from "../values/compose-values.ts";
import type { ValuesSource } from "../values/read-values.ts";
import { archiveFailure, invalidChart, notPacked } from "./chart-failure.ts";
import {
  findChartResource,
  readInlineChart,
  type ChartResource,
  type InlineChart,
  type InlineChartQuery,
  type ResourceQuery,
} from "./find-chart-resource.ts";
import { contextsOfAttempts, mayDependOnVersion, withVersionHint } from "./version-hint.ts";
import {
  exportData,
  renderRelease,
  type RenderContext,
  type RenderedItem,
  type RenderInput,
} from "./render-release.ts";

/** A packed chart; can be copied to another thread. */
export interface PackedChart {
  readonly archive: Uint8Array;
  /** Of the archive. */
  readonly digest: string;
  /** Where it came from, for people: no credentials. */
  readonly from: string;
}

/** What is done with a chart away from the main thread: all of it can take long, and memory. */
export type ChartTask =
  | { readonly type: "index"; readonly index: Uint8Array; readonly query: IndexQuery }
  | ({ readonly type: "resource" } & ResourceQuery)
  | ({ readonly type: "inlineChart" } & InlineChartQuery)
  | { readonly type: "values"; readonly sources: readonly ValuesSource[]; readonly values: HelmConfig["values"] }
  | { readonly type: "inspect"; readonly chart: PackedChart }
  | {
      readonly type: "render";
      readonly chart: PackedChart;
      readonly input: RenderInput;
      /** Values that are replaced by others of the same structure. */
      readonly perturbedAt?: readonly JsonPath[] | undefined;
    }
  | {
      readonly type: "exportData";
      readonly chart: PackedChart;
      readonly input: Pick<RenderInput, "given" | "release" | "capabilities" | "helmVersion">;
    };

/** A task as a thread is given it. */
export interface ChartWork {
  readonly task: ChartTask;
  readonly memoryBytes: RenderContext["memoryBytes"];
}

/** What a thread asks the main thread for. */
export type ChartQuestion =
  | { readonly type: "lookup"; readonly query: LookupQuery }
  /** Answered by a RemoteSchema. */
  | { readonly type: "schema"; readonly url: string }
  /** Has no answer: the task fails with this error. It only looks for an explanation, which may exceed a limit. */
  | { readonly type: "failure"; readonly error: ErrorData };

/** Answers what templates and schemas want, and says what a rendering may take. */
interface TaskContext extends Omit<RenderContext, "compiled"> {
  /** Reports the failure of the task before it is explained. */
  readonly noteFailure: (error: LandscaperError) => Promise<void>;
}

export interface ChartIdentity {
  readonly name: string;
  readonly version: string;
}

/** What comes of the tasks. */
export interface ChartResults {
  readonly index: IndexEntry;
  readonly resource: ChartResource;
  readonly inlineChart: InlineChart;
  readonly values: ReturnType<typeof composeValues>;
  readonly inspect: ChartIdentity;
  readonly render: RenderedItem;
  readonly exportData: Readonly<Record<string, unknown>>;
}

const maxCharts = 16;
/** Bytes of template source; parsed they take about ten times as much. */
const maxCompiledBytes = 8 * 1024 * 1024;

/** Does tasks with charts; keeps those used last unpacked, and their templates parsed. */
export class ChartTasks {
  readonly #compiled = new CompiledCharts({ maxBytes: maxCompiledBytes });
  /** Charts by digest and version of Helm, the most recently used one last. */
  readonly #charts = new Map<string, Chart>();

  /** `fetch` answers `lookup`. Throws LandscaperError. */
  async perform(task: ChartTask, context: TaskContext): Promise<ChartResults[ChartTask["type"]]> {
    if (task.type === "index") return findInIndex(task.index, task.query);
    if (task.type === "resource") return findChartResource(task);
    if (task.type === "inlineChart") return await readInlineChart(task);
    if (task.type === "values") return composeValues(task.sources, task.values);
    switch (task.type) {
      case "inspect": {
        const { name, version } = (await this.#inspect(task.chart)).metadata;
        return { name, version };
      }
      case "render":
        return await this.#render(task, context);
      case "exportData":
        return await exportData(await this.#load(task.chart, task.input.helmVersion), task.input);
    }
  }

  /** Loads a chart before the version of Helm is known: one version that accepts the chart is enough. */
  async #inspect(chart: PackedChart): Promise<Chart> {
    try {
      return await this.#load(chart, "3");
    } catch (error) {
      try {
        return await this.#load(chart, "4");
      } catch {
        throw error;
      }
    }
  }

  async #render(task: RenderTask, context: TaskContext): Promise<RenderedItem> {
    const render = async (helmVersion: HelmVersion, attempt: TaskContext): Promise<RenderedItem> => {
      const { replaced } = task.input;
      // Not cached: such a chart is rendered only once.
      const chart =
        replaced !== undefined && changesLoading(replaced)
          ? await unpack(task.chart.archive, { from: task.chart.from, helmVersion, replaced })
          : await this.#load(task.chart, helmVersion);
      const input = { ...perturbed(task), helmVersion };
      return await renderRelease(chart, input, { ...attempt, compiled: this.#compiled });
    };
    const { helmVersion } = task.input;
    const { first, second } = contextsOfAttempts(context);
    try {
      return await render(helmVersion, first);
    } catch (error) {
      // A second attempt only explains the failure.
      const isTrial = task.perturbedAt !== undefined || task.input.replaced !== undefined;
      if (isTrial || !mayDependOnVersion(error)) throw error;
      await context.noteFailure(error);
      throw await withVersionHint(error, { helmVersion, render: async (other) => render(other, second) });
    }
  }

  async #load({ archive, digest, from }: PackedChart, helmVersion: HelmVersion): Promise<Chart> {
    const key = `${helmVersion}:${digest}`;
    const chart = this.#charts.get(key) ?? (await unpack(archive, { from, helmVersion }));
    this.#charts.delete(key);
    this.#charts.set(key, chart);
    for (const oldest of this.#charts.keys()) {
      if (this.#charts.size <= maxCharts) break;
      this.#charts.delete(oldest);
    }
    return chart;
  }
}

type RenderTask = Extract<ChartTask, { type: "render" }>;

function perturbed({ input, perturbedAt }: RenderTask): RenderInput {
  if (perturbedAt === undefined) return input;
  // The same structure.
  return { ...input, given: perturbAt(input.given, perturbedAt) as RenderInput["given"] };
}

/** Throws LandscaperError if the archive is not a chart that can be installed. */
async function unpack(
  archive: Uint8Array,
  {
    from,
    helmVersion,
    replaced,
  }: { readonly from: string; readonly helmVersion: HelmVersion; readonly replaced?: DifferenceName },
): Promise<Chart> {
  try {
    if (!isGzip(archive)) throw notPacked(archive, from);
    const chart = await loadChartArchive(archive, { dialect: await loadHybrid(helmVersion, replaced) });
    const { name, type = "" } = chart.metadata;
    if (type !== "" && type !== "application") {
      const hint = "install an application chart that has it as a dependency";
      throw invalidChart(`chart ${name}: ${type} charts are not installable`, undefined, hint);
    }
    checkDependencies(chart);
    return chart;
  } catch (error) {
    throw archiveFailure(error, from);
  }
}
