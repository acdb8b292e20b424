import type { GoMap } from "@landscaper/golang";
import { parseConstraints, parseVersion, toWellFormed } from "@landscaper/golang";
import { type Chart, type ChartCrd, chartCrds } from "../chart/chart.ts";
import { ChartError } from "../chart/chart-error.ts";
import { sortManifests, type SortedManifests } from "../manifests/sort-manifests.ts";
import { type Capabilities, comparedKubeVersion, kubeVersionOf } from "../objects/capabilities.ts";
import { type Release, releaseScope } from "../objects/chart-scope.ts";
import type { HelmDialect } from "../versions/helm-dialect.ts";
import { helm3 } from "../versions/helm3.ts";
import { chartPlaces } from "./chart-places.ts";
import { compileChart, type CompiledCharts } from "./compiled-charts.ts";
import { renderCompiled, type RenderingOptions } from "./render-templates.ts";

export interface RenderChartOptions extends RenderingOptions {
  /**
   * The chart's values with those of its dependencies, see coalesceValues. Templates may change them: give each rendering
   * its own.
   */
  readonly values: GoMap;
  readonly release: Release;
  readonly capabilities?: Capabilities | undefined;
  /** Default: Helm 3. */
  readonly dialect?: HelmDialect | undefined;
  /** Parsed templates of earlier renderings. */
  readonly compiled?: CompiledCharts | undefined;
  /** A missing key is an error, as under Helm's strict mode. */
  readonly isStrict?: boolean | undefined;
  /** Notes of dependencies stand before those of the chart. */
  readonly hasSubchartNotes?: boolean | undefined;
}

/** What a chart makes for a release, in Helm's order of installing. */
export interface RenderedChart extends SortedManifests {
  readonly crds: readonly ChartCrd[];
  readonly notes: string;
}

/** A file that rendered to something that is no manifest, with all that was rendered. */
export class ManifestError extends ChartError {
  readonly files: ReadonlyMap<string, string>;
  /** Those of the documents before the one in question, see SortedManifests. */
  readonly unknownHooks: readonly string[];

  constructor(error: ChartError, files: ReadonlyMap<string, string>, unknownHooks: readonly string[]) {
    super(error.message, { file: error.file, line: error.line, column: error.column, cause: error.cause });
    this.unknownHooks = unknownHooks;
    this.files = new Map([...files].map(([name, text]) => [name, toWellFormed(text)]));
  }
}

/**
 * Renders a chart whose dependencies have been processed. Throws ChartError for a chart that the cluster's version does
 * not suit, TemplateError for a template that fails, ManifestError for what a template made that is no manifest.
 */
export function renderChart(chart: Chart, options: RenderChartOptions): RenderedChart {
  const { dialect = helm3 } = options;
  checkKubeVersion(chart, options.capabilities, dialect);
  const files = new Map(renderFiles(chart, options));
  const notes = takeNotes(files, chart, options.hasSubchartNotes === true);
  const unknownHooks: string[] = [];
  try {
    const sorted = sortManifests(files, { dialect, unknownHooks });
    return { ...sorted, crds: chartCrds(chart), notes: toWellFormed(notes) };
  } catch (error) {
    throw error instanceof ChartError ? new ManifestError(error, files, unknownHooks) : error;
  }
}

/**
 * The text of every template by its name, those of NOTES.txt among them; bytes that are no UTF-8 are lone surrogates.
 * Throws TemplateError.
 */
export function renderFiles(chart: Chart, options: RenderChartOptions): ReadonlyMap<string, string> {
  const { values, release, capabilities, dialect, compiled, isStrict, ...rendering } = options;
  const missingKey = isStrict === true ? "error" : "zero";
  const templates = compiled === undefined ? compileChart(chart, missingKey) : compiled.compile(chart, missingKey);
  return renderCompiled(templates, chartPlaces(chart, values, releaseScope(release, capabilities, dialect)), rendering);
}

function checkKubeVersion({ metadata }: Chart, capabilities: Capabilities | undefined, dialect: HelmDialect): void {
  const { name, kubeVersion: range } = metadata;
  if (range === undefined || range === "") return;
  const version = kubeVersionOf(capabilities);
  if (isCompatible(range, comparedKubeVersion(capabilities, dialect))) return;
  const message = `chart requires kubeVersion: ${range} which is incompatible with Kubernetes ${version}`;
  throw new ChartError(message, { chart: name, file: "Chart.yaml" });
}

function isCompatible(range: string, version: string): boolean {
  try {
    return parseConstraints(range).isFulfilledBy(parseVersion(version));
  } catch {
    // What is no range suits nothing.
    return false;
  }
}

const notesName = "NOTES.txt";

/** Takes the notes out of the files. */
function takeNotes(files: Map<string, string>, chart: Chart, withSubcharts: boolean): string {
  const own = `${chart.metadata.name}/templates/${notesName}`;
  let notes = "";
  for (const [name, text] of files) {
    if (!name.endsWith(notesName)) continue;
    if (withSubcharts || name === own) notes += notes === "" ? text : `\n${text}`;
    files.delete(name);
  }
  return notes;
}
