import { type GoMap, decodeUtf8 } from "@landscaper/golang";
import { YamlError } from "@landscaper/goyaml";
import { parseValues } from "../values/parse-values.ts";
import type { HelmDialect } from "../versions/helm-dialect.ts";
import { helm3 } from "../versions/helm3.ts";
import { ChartError } from "./chart-error.ts";
import { type DraftMetadata, finishMetadata, readLock, readMetadata } from "./chart-yaml.ts";
import type { Chart, ChartFile, ChartLock } from "./chart.ts";
import { LoadBudget } from "./load-budget.ts";
import { readArchive } from "./read-archive.ts";
import { type Subchart, subchartsOf } from "./subcharts.ts";
import { validateMetadata } from "./validate-metadata.ts";

export interface LoadOptions {
  readonly budget?: LoadBudget;
  /** Told of what Helm logs. */
  readonly warn?: ((text: string) => void) | undefined;
  /** Default: Helm 3. */
  readonly dialect?: HelmDialect | undefined;
}

/**
 * The chart that files make, their names beginning at its folder. Dependencies are in the order of their names in charts/.
 * Throws ChartError with Helm's message.
 */
export async function loadChartFiles(files: readonly ChartFile[], options: LoadOptions = {}): Promise<Chart> {
  const { budget = new LoadBudget(), warn, dialect = helm3 } = options;
  return load(files, { budget, warn, dialect, depth: 0 });
}

interface Loading {
  readonly budget: LoadBudget;
  readonly warn: LoadOptions["warn"];
  readonly dialect: HelmDialect;
  readonly depth: number;
}

async function load(files: readonly ChartFile[], loading: Loading): Promise<Chart> {
  loading.budget.checkNesting(loading.depth);
  const draft = readChartYaml(files, loading);
  const parts = inChart(draft, () => sortFiles(files, draft, loading));
  // Another file may have renamed the chart.
  const metadata = finishMetadata(draft);
  validateMetadata(draft, metadata);
  const dependencies: Chart[] = [];
  for (const subchart of subchartsOf(parts.charts, metadata.name)) {
    const dependency = await loadSubchart(subchart, metadata.name, loading);
    if (dependency !== undefined) dependencies.push(dependency);
  }
  const { lock, schema, values, templates, others } = parts;
  return {
    metadata,
    ...(lock === undefined ? {} : { lock }),
    ...(schema === undefined ? {} : { schema }),
    values,
    templates,
    files: others,
    raw: files,
    dependencies,
  };
}

function readChartYaml(files: readonly ChartFile[], { dialect, depth }: Loading): DraftMetadata {
  let draft: DraftMetadata | undefined;
  for (const file of files) {
    if (file.name !== "Chart.yaml") continue;
    draft = inFile(file, (text) => readMetadata(text, draft));
    if (draft["apiVersion"] === undefined || draft["apiVersion"] === "") draft["apiVersion"] = "v1";
  }
  if (draft === undefined) throw new ChartError("Chart.yaml file is missing", { file: "Chart.yaml" });
  if (depth === 0) checkApiVersion(draft["apiVersion"], dialect);
  return draft;
}

function checkApiVersion(apiVersion: unknown, { loading: { apiVersions } }: HelmDialect): void {
  if (apiVersions === undefined || apiVersions.some((known) => known === apiVersion)) return;
  const problem = apiVersion === "v3" ? "invalid chart apiVersion" : "unsupported chart version";
  throw new ChartError(problem, { file: "Chart.yaml" });
}

/** Names the chart where a mistake in one of its files does not. */
function inChart<T>({ name }: DraftMetadata, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ChartError) || typeof name !== "string" || name === "") throw error;
    throw new ChartError(error.message, { chart: name, file: error.file, cause: error });
  }
}

interface Parts {
  lock?: ChartLock | undefined;
  schema?: Uint8Array;
  values: GoMap;
  readonly templates: ChartFile[];
  /** Files below charts/, without that folder. */
  readonly charts: ChartFile[];
  readonly others: ChartFile[];
}

/** What each file of a chart is; dependencies of v1 charts are put into the draft. */
function sortFiles(files: readonly ChartFile[], draft: DraftMetadata, { warn, dialect }: Loading): Parts {
  const parts: Parts = { values: new Map(), templates: [], charts: [], others: [] };
  const isV1 = draft["apiVersion"] === "v1";
  for (const file of files) {
    switch (file.name) {
      case "Chart.yaml":
        break;
      case "Chart.lock":
        parts.lock = inFile(file, readLock);
        break;
      case "values.yaml":
        parts.values = inFile(file, (text) => parseValues(text, dialect.values.documents));
        break;
      case "values.schema.json":
        parts.schema = file.data;
        break;
      case "requirements.yaml":
        if (!isV1) warn?.(migrationWarning("Dependencies are", "Chart.yaml", "dependencies to Chart.yaml"));
        inFile(file, (text) => readMetadata(text, draft));
        if (isV1) parts.others.push(file);
        break;
      case "requirements.lock":
        if (!isV1) warn?.(migrationWarning("Dependency locking is", "Chart.lock", "to Chart.lock"));
        parts.lock = inFile(file, readLock);
        if (isV1) parts.others.push(file);
        break;
      default:
        sortOther(file, parts);
    }
  }
  return parts;
}

function migrationWarning(what: string, where: string, advice: string): string {
  return `Warning: ${what} handled in ${where} since apiVersion "v2". We recommend migrating ${advice}.`;
}

function sortOther(file: ChartFile, parts: Parts): void {
  if (file.name.startsWith("templates/")) parts.templates.push(file);
  else if (!file.name.startsWith("charts/")) parts.others.push(file);
  else if (file.name.endsWith(".prov")) parts.others.push(file);
  else parts.charts.push({ name: file.name.slice("charts/".length), data: file.data });
}

function inFile<T>({ name, data }: ChartFile, read: (text: string) => T): T {
  try {
    return read(decodeUtf8(data));
  } catch (error) {
    if (!(error instanceof ChartError) && !(error instanceof YamlError)) throw error;
    throw new ChartError(`cannot load ${name}: ${error.message}`, { file: name, cause: error });
  }
}

async function loadSubchart(subchart: Subchart, parent: string, loading: Loading): Promise<Chart | undefined> {
  const inner = { ...loading, depth: loading.depth + 1 };
  try {
    if (subchart.kind === "folder") return await load(subchart.files, inner);
    return await load(await readArchive(subchart.data, loading.budget), inner);
  } catch (error) {
    if (!(error instanceof ChartError)) throw error;
    const file = error.file === undefined ? `charts/${subchart.name}` : `charts/${subchart.name}/${error.file}`;
    throw new ChartError(`error unpacking subchart ${subchart.name} in ${parent}: ${error.message}`, {
      chart: error.chart ?? parent,
      file,
      cause: error,
    });
  }
}
