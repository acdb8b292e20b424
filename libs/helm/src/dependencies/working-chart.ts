import type { GoMap } from "@landscaper/golang";
import type { Chart, ChartDependency, ChartMetadata } from "../chart/chart.ts";

/**
 * A chart whose dependencies are being processed. Helm changes charts in place, and a chart may be in a tree twice: under
 * several aliases of a chart around it. What becomes of it there depends on that, so this is done in the same way.
 */
export interface WorkingChart {
  readonly source: Chart;
  metadata: WorkingMetadata;
  values: GoMap;
  dependencies: readonly WorkingChart[];
  parent: WorkingChart | undefined;
}

/** Metadata that copies of a chart may share: they then share changes of `dependencies`. */
export interface WorkingMetadata extends Omit<ChartMetadata, "dependencies"> {
  dependencies?: readonly WorkingDependency[];
}

/** A dependency as Chart.yaml asks for it, under way. */
export type WorkingDependency = { -readonly [Field in keyof ChartDependency]: ChartDependency[Field] };

export function workingChart(source: Chart, parent?: WorkingChart): WorkingChart {
  const { metadata, values } = source;
  const chart: WorkingChart = { source, metadata: copyMetadata(metadata), values, dependencies: [], parent };
  chart.dependencies = source.dependencies.map((dependency) => workingChart(dependency, chart));
  return chart;
}

/** A copy under a name of its own. Helm shares all else with the chart: dependencies, and what Chart.yaml asks for. */
export function aliasedChart(chart: WorkingChart, alias: string): WorkingChart {
  return { ...chart, metadata: alias === "" ? { ...chart.metadata } : { ...chart.metadata, name: alias } };
}

/**
 * Returns a copy of a chart under an alias, as Helm 4 makes it. The dependencies are copied, too. Each copied dependency shares its metadata and
 * its own dependencies with the original.
 */
export function separateChart(chart: WorkingChart, alias: string): WorkingChart {
  const copy = aliasedChart({ ...chart, metadata: copyMetadata(chart.metadata) }, alias);
  const dependencies = chart.dependencies.map((dependency) => ({ ...dependency }));
  setDependencies(copy, dependencies);
  return copy;
}

function copyMetadata(metadata: WorkingMetadata): WorkingMetadata {
  const { dependencies, ...rest } = metadata;
  return dependencies === undefined ? rest : { ...rest, dependencies: dependencies.map((item) => ({ ...item })) };
}

export function setDependencies(chart: WorkingChart, dependencies: readonly WorkingChart[]): void {
  chart.dependencies = dependencies;
  for (const dependency of dependencies) dependency.parent = chart;
}

/** The chart as it is now. */
export function finishedChart(chart: WorkingChart): Chart {
  return finish(chart, chart.metadata.name);
}

/** `path`: its place in the tree. */
function finish(chart: WorkingChart, path: string): Chart {
  const { fullPath: _, ...source } = chart.source;
  const known = fullPathOf(chart);
  return {
    ...source,
    metadata: chart.metadata,
    values: chart.values,
    dependencies: chart.dependencies.map((item) => finish(item, `${known}/charts/${item.metadata.name}`)),
    ...(known === path ? {} : { fullPath: known }),
  };
}

function fullPathOf({ metadata, parent }: WorkingChart): string {
  return parent === undefined ? metadata.name : `${fullPathOf(parent)}/charts/${metadata.name}`;
}
