import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  statSync,
} from "node:fs";
import { join } from "node:path";
import { ChartError } from "./chart-error.ts";
import type { ChartFolder, FolderEntry } from "./chart-folder.ts";
import type { Chart, ChartFile } from "./chart.ts";
import { contentTypeOf } from "./content-type.ts";
import { listChartFiles } from "./list-folder.ts";
import { LoadBudget, type ChartLimits } from "./load-budget.ts";
import { loadChartFiles } from "./load-files.ts";
import type { HelmDialect } from "../versions/helm-dialect.ts";
import { helm3 } from "../versions/helm3.ts";
import { isGzip, readArchive } from "./read-archive.ts";

export interface LoadChartOptions {
  readonly limits?: ChartLimits | undefined;
  /** Told of what Helm logs. */
  readonly warn?: ((text: string) => void) | undefined;
  /** Default: Helm 3. */
  readonly dialect?: HelmDialect | undefined;
}

/** The chart in a folder or in a packed file of the machine. Throws ChartError with Helm's message. */
export async function loadChart(path: string, options: LoadChartOptions = {}): Promise<Chart> {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) throw new ChartError(`stat ${path}: no such file or directory`);
  if (stat.isDirectory()) return loadChartFolder(storedFolder(path), options);
  // Reading a pipe would block the process until another one writes to it.
  if (!stat.isFile()) {
    throw new ChartError(`${path}: expected a folder or a packed chart, found a device, socket or pipe`);
  }
  if (stat.size > budgetOf(options).chartBytes) {
    throw new ChartError(`${path}: the packed chart is larger than it may be when it is unpacked`);
  }
  const data = readFileSync(path);
  if (!isGzip(data)) throw new ChartError(notPacked(path, data));
  try {
    return await loadChartArchive(data, options);
  } catch (error) {
    throw options.dialect?.loading.namesFileOfBadHeader === true ? withFileOfBadHeader(error, path) : error;
  }
}

function withFileOfBadHeader(error: unknown, path: string): unknown {
  if (!(error instanceof ChartError) || !error.message.endsWith("gzip: invalid header")) return error;
  const message = `file '${path}' does not appear to be a valid chart file (details: ${error.message})`;
  return new ChartError(message, { file: path, cause: error });
}

/**
 * The files below a folder of the machine by their paths, as those of a chart: without what its .helmignore names, links are followed inside the
 * folder. Throws ChartError.
 */
export function loadFolderFiles(path: string, options: LoadChartOptions = {}): readonly ChartFile[] {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new ChartError(`${path}: expected a folder`);
  }
  return listChartFiles(storedFolder(path), { budget: budgetOf(options), warn: options.warn });
}

/** The chart in a folder, without what its .helmignore names. Throws ChartError. */
export async function loadChartFolder(folder: ChartFolder, options: LoadChartOptions = {}): Promise<Chart> {
  const budget = budgetOf(options);
  const { warn, dialect } = options;
  return loadChartFiles(listChartFiles(folder, { budget, warn }), { budget, warn, dialect });
}

/** A packed chart (.tgz). Throws ChartError. */
export async function loadChartArchive(data: Uint8Array, options: LoadChartOptions = {}): Promise<Chart> {
  const budget = budgetOf(options);
  const { warn, dialect } = options;
  return loadChartFiles(await readArchive(data, budget), { budget, warn, dialect });
}

function budgetOf({ limits, dialect = helm3 }: LoadChartOptions): LoadBudget {
  return new LoadBudget({ ...dialect.loading, ...limits });
}

function notPacked(path: string, data: Uint8Array): string {
  if (/\.ya?ml$/.test(path)) return `file '${path}' seems to be a YAML file, but expected a gzipped archive`;
  return `file '${path}' does not appear to be a gzipped archive; got '${contentTypeOf(data)}'`;
}

/** A folder of the machine. */
export function storedFolder(root: string): ChartFolder {
  return {
    label: root,
    entries: (path) => readdirSync(join(root, path)).map((name) => entryOf(join(root, path, name), name)),
    read: (path) => readPlainFile(join(root, path)),
  };
}

function entryOf(path: string, name: string): FolderEntry {
  const stat = lstatSync(path);
  if (stat.isSymbolicLink()) return { name, kind: "link", target: readlinkSync(path) };
  if (stat.isDirectory()) return { name, kind: "folder" };
  return stat.isFile() ? { name, kind: "file", bytes: stat.size } : { name, kind: "irregular" };
}

/** Links have been followed before: what has become one since then is none of the chart. */
function readPlainFile(path: string): Uint8Array {
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    if (!fstatSync(file).isFile())
      throw new ChartError(`error reading ${path}: it is no file any more`, { file: path });
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}
