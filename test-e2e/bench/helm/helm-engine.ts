import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import type { GoMap } from "@landscaper/golang";
import {
  type Chart,
  CompiledCharts,
  type HelmDialect,
  type HelmVersion,
  loadChart,
  loadDialect,
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
  readonly dialect: HelmDialect;
}

/** Reads a chart and its values from disk, as a version of Helm does. */
export async function loadCase({ chart: path, values }: HelmCase, version: HelmVersion = "3"): Promise<LoadedChart> {
  const dialect = await loadDialect(version);
  const valueFiles = values === undefined ? [] : [values];
  const given = valuesOfFlags({ valueFiles }, (name) => readFileSync(name), dialect);
  return { chart: processDependencies(await loadChart(path, { dialect }), given, { dialect }), given, dialect };
}

function optionsFor({ chart, given, dialect }: LoadedChart, compiled: CompiledCharts): RenderChartOptions {
  return {
    dialect,
    values: renderValues(chart, given, { skipsSchemas: true, dialect }),
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
export async function renderCold(given: HelmCase, version?: HelmVersion): Promise<void> {
  renderLoaded(await loadCase(given, version), new CompiledCharts());
}

/** The rendered files by name. */
export function filesOf(loaded: LoadedChart): Record<string, string> {
  return Object.fromEntries(renderFiles(loaded.chart, optionsFor(loaded, new CompiledCharts())));
}
