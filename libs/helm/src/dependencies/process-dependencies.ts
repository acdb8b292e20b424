import type { GoMap } from "@landscaper/golang";
import type { Chart } from "../chart/chart.ts";
import { ChartError } from "../chart/chart-error.ts";
import type { CoalesceOptions } from "../values/coalesce-values.ts";
import { enableDependencies } from "./enable-dependencies.ts";
import { importValues } from "./import-values.ts";
import type { HelmDialect } from "../versions/helm-dialect.ts";
import { helm3 } from "../versions/helm3.ts";
import { finishedChart, workingChart } from "./working-chart.ts";

export interface ProcessOptions {
  readonly warn?: CoalesceOptions["warn"];
  /** Default: Helm 3. */
  readonly dialect?: HelmDialect | undefined;
}

/**
 * Returns the chart that is rendered with the given values: without the dependencies that conditions and tags disable, with the others
 * under their aliases, and with imported values among its own. Equals Helm's ProcessDependenciesWithMerge, and must be called before
 * coalesceValues. Throws ChartError.
 */
export function processDependencies(chart: Chart, given: GoMap, { warn, dialect = helm3 }: ProcessOptions = {}): Chart {
  const working = workingChart(chart);
  enableDependencies(working, { values: given, path: "", warn, dialect });
  importValues(working, warn);
  return finishedChart(working);
}

/** Throws ChartError with Helm's message when charts that Chart.yaml names are not in charts/, whether enabled or not. */
export function checkDependencies({ metadata, dependencies }: Chart): void {
  const present = new Set(dependencies.map((dependency) => dependency.metadata.name));
  const missing = (metadata.dependencies ?? []).map(({ name }) => name).filter((name) => !present.has(name));
  if (missing.length === 0) return;
  throw new ChartError(`found in Chart.yaml, but missing in charts/ directory: ${missing.join(", ")}`, {
    chart: metadata.name,
    file: "Chart.yaml",
  });
}
