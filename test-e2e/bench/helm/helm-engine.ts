import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import type { GoMap } from "@landscaper/golang";
import {
  type Chart,
  CompiledCharts,
  loadChart,
  processDependencies,
  renderChart,
  type RenderChartOptions,
  renderFiles,
  renderValues,
  valuesOfFlags,
} from "@landscaper/helm";
import type { HelmCase } from "./helm-cases.ts";

/** A chart in memory, ready to be rendered. */
export interface LoadedChart {
  readonly chart: Chart;
  readonly given: GoMap;
}

/** Reads a chart and its values from disk. */
export async function loadCase({ chart: path, values }: HelmCase): Promise<LoadedChart> {
  const given = valuesOfFlags({ valueFiles: values === undefined ? [] : [values] }, (name) => readFileSync(name));
  return { chart: processDependencies(await loadChart(path), given), given };
}

function optionsFor({ chart, given }: LoadedChart, compiled: CompiledCharts): RenderChartOptions {
  return {
    values: renderValues(chart, given, { skipsSchemas: true }),
    release: { name: "rel", namespace: "ns" },
    capabilities: { kubeVersion: "v1.35.0" },
    now: () => new Date(),
    random: (bytes) => randomBytes(bytes),
    compiled,
  };
}

/** What `helm template` does between reading files and printing: values, templates, manifests. */
export function renderLoaded(loaded: LoadedChart, compiled: CompiledCharts): void {
  renderChart(loaded.chart, optionsFor(loaded, compiled));
}

/** The same with a chart read anew, and no templates from before. */
export async function renderCold(given: HelmCase): Promise<void> {
  renderLoaded(await loadCase(given), new CompiledCharts());
}

/** The rendered files by name. */
export function filesOf(loaded: LoadedChart): Record<string, string> {
  return Object.fromEntries(renderFiles(loaded.chart, optionsFor(loaded, new CompiledCharts())));
}
