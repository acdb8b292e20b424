import { type GoMap, toWellFormed } from "@landscaper/golang";
import {
  chartBelow,
  type Chart,
  type ChartAt,
  chartCrds,
  type ChartFile,
  type ChartMetadata,
  rootPlace,
} from "../src/chart/chart.ts";
import { ChartError } from "../src/chart/chart-error.ts";
import { folderOf, type ListedEntry } from "../src/chart/chart-folder.ts";
import { loadChartArchive, loadChartFolder } from "../src/chart/load-chart.ts";
import { checkDependencies, processDependencies } from "../src/dependencies/process-dependencies.ts";
import { coalesceValues } from "../src/values/coalesce-values.ts";
import { valuesOfFlags } from "../src/values/flag-values.ts";
import { renderValues } from "../src/values/render-values.ts";
import { checkSchemas } from "../src/values/schema/check-schemas.ts";
import { typedDump } from "./typed-dump.ts";

/** A file as its text, bytes, or a link. */
export type TreeEntry = string | { readonly base64: string } | { readonly link: string };

/** A chart with what Helm makes of it; see test-e2e/oracles/helm/charts.go. */
export interface ChartCase {
  /** What the case is about. */
  readonly name: string;
  /** By path; the chart is in "chart/". */
  readonly files?: Readonly<Record<string, TreeEntry>>;
  /** A packed chart instead, as base64. */
  readonly archive?: string;
  /** "-": there is no chart, only values. */
  readonly root?: string;
  readonly limits?: { readonly file: number; readonly chart: number };
  readonly show?: readonly string[];
  /** Flags as on the command line; files are named as in `files`. */
  readonly flags?: FlagCase;
  /** What is done with the chart and the values of the flags, in this order. */
  readonly steps?: readonly ChartStep[];
}

type ChartStep = "check" | "process" | "coalesce" | "merge" | "schema" | "render";

export interface FlagCase {
  /** -f */
  readonly files?: readonly string[];
  readonly set?: readonly string[];
  readonly string?: readonly string[];
  readonly json?: readonly string[];
  /** --set-file; "ROOT/" is before the names of files. */
  readonly file?: readonly string[];
  readonly literal?: readonly string[];
}

/** What Helm says of a case, in its order of keys. */
export interface ChartResult {
  readonly error?: string;
  /** The step that failed. */
  readonly at?: string;
  readonly chart?: unknown;
  readonly values?: unknown;
  readonly warnings?: readonly string[];
}

/** What we make of a case. */
export async function runChart(item: ChartCase): Promise<ChartResult> {
  const warnings: string[] = [];
  const warn = (text: string): void => void warnings.push(text);
  const state: CaseState = { at: "load", chart: undefined, values: new Map() };
  try {
    if (item.root !== "-") state.chart = await loadCase(item, warn);
    state.at = "flags";
    if (item.flags !== undefined) state.values = valuesOfCase(item);
    for (const step of item.steps ?? []) {
      state.at = step;
      if (state.chart !== undefined) takeStep(step, state, { chart: state.chart, warn });
    }
    return withWarnings(
      {
        ...(state.chart === undefined ? {} : { chart: dumpChart(rootPlace(state.chart), new Set(item.show)) }),
        ...(item.flags === undefined && item.steps === undefined ? {} : { values: typedDump(state.values) }),
      },
      warnings,
    );
  } catch (error) {
    if (error instanceof ChartError) return withWarnings({ error: error.message, at: state.at }, warnings);
    throw error;
  }
}

interface CaseState {
  at: string;
  chart: Chart | undefined;
  values: GoMap;
}

function takeStep(
  step: ChartStep,
  state: CaseState,
  { chart, warn }: { readonly chart: Chart; readonly warn: (text: string) => void },
): void {
  switch (step) {
    case "check":
      checkDependencies(chart);
      break;
    case "process":
      state.chart = processDependencies(chart, state.values, { warn });
      break;
    case "coalesce":
    case "merge":
      state.values = coalesceValues(chart, state.values, { nulls: step, warn });
      break;
    case "schema":
      checkSchemas(chart, state.values, { warn });
      break;
    case "render":
      state.values = renderValues(chart, state.values, { warn });
      break;
  }
}

function valuesOfCase({ files = {}, flags = {} }: ChartCase): GoMap {
  const { files: valueFiles = [], ...sets } = flags;
  return valuesOfFlags({ ...sets, valueFiles: valueFiles.map((name) => `ROOT/${name}`) }, (name) => {
    const entry = files[name.replace(/^ROOT\//, "")];
    const content = entry === undefined ? undefined : listed(entry);
    if (content instanceof Uint8Array) return content;
    throw new ChartError(`open ${name}: no such file or directory`);
  });
}

function withWarnings(result: ChartResult, warnings: readonly string[]): ChartResult {
  return warnings.length === 0 ? result : { ...result, warnings: warnings.toSorted() };
}

async function loadCase({ files = {}, archive, limits }: ChartCase, warn: (text: string) => void): Promise<Chart> {
  const options = {
    warn,
    limits: limits === undefined ? undefined : { fileBytes: limits.file, chartBytes: limits.chart },
  };
  if (archive !== undefined) return loadChartArchive(Buffer.from(archive, "base64"), options);
  const listing = Object.entries(files).flatMap(([path, entry]): [string, ListedEntry][] =>
    path.startsWith("chart/") ? [[path.slice("chart/".length), listed(entry)]] : [],
  );
  return loadChartFolder(folderOf(new Map(listing), "ROOT/chart"), options);
}

function listed(entry: TreeEntry): ListedEntry {
  if (typeof entry === "string") return Buffer.from(entry);
  return "link" in entry ? entry : Buffer.from(entry.base64, "base64");
}

function dumpChart(place: ChartAt, show: ReadonlySet<string>): object {
  const { chart, fullPath, isRoot } = place;
  const { metadata, lock, schema } = chart;
  return {
    fullPath,
    ...(show.has("metadata") ? { metadata: metadataDump(metadata) } : {}),
    ...(show.has("metadata") && lock !== undefined ? { lock: lockDump(lock) } : {}),
    ...(show.has("values") ? { values: typedDump(chart.values) } : {}),
    ...(show.has("files")
      ? { templates: filesDump(chart.templates), files: filesDump(chart.files), raw: filesDump(chart.raw) }
      : {}),
    ...(show.has("files") && schema !== undefined ? { schema: Buffer.from(schema).toString() } : {}),
    ...(show.has("crds") && isRoot
      ? { crds: chartCrds(chart).map(({ name, filename }) => `${name} ${filename}`) }
      : {}),
    // The loader of Helm has them in the order of a Go map.
    dependencies: (show.has("sorted") ? chart.dependencies.toSorted(byName) : chart.dependencies).map((child) =>
      dumpChart(chartBelow(place, child), show),
    ),
  };
}

function byName(a: Chart, b: Chart): number {
  return a.metadata.name < b.metadata.name ? -1 : 1;
}

/** Metadata as Go's JSON has it: without empty fields. */
function metadataDump({ dependencies, maintainers, ...metadata }: ChartMetadata): object {
  return {
    ...withoutEmpty(metadata),
    ...(dependencies === undefined || dependencies.length === 0
      ? {}
      : { dependencies: dependencies.map(dependencyDump) }),
    ...(maintainers === undefined || maintainers.length === 0 ? {} : { maintainers: maintainers.map(withoutEmpty) }),
  };
}

function dependencyDump({
  importValues,
  repository,
  name,
  ...rest
}: NonNullable<ChartMetadata["dependencies"]>[number]): object {
  const imports = importValues === undefined || importValues.length === 0 ? {} : { "import-values": importValues };
  return { name, repository: repository ?? "", ...withoutEmpty({ ...rest, ...imports }) };
}

function lockDump({ generated, digest, dependencies }: NonNullable<Chart["lock"]>): object {
  return {
    generated: generated === "" ? "0001-01-01T00:00:00Z" : generated,
    digest,
    dependencies: dependencies?.map(dependencyDump) ?? null,
  };
}

function withoutEmpty(fields: object): object {
  const isEmpty = (value: unknown): boolean =>
    value === undefined ||
    value === "" ||
    value === false ||
    (typeof value === "object" && value !== null && Object.keys(value).length === 0);
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => !isEmpty(value)));
}

/** Names as Go's JSON has them. */
function filesDump(files: readonly ChartFile[]): object {
  return Object.fromEntries(files.map(({ name, data }) => [toWellFormed(name), Buffer.from(data).toString("base64")]));
}
