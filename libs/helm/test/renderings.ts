import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fromYaml } from "@landscaper/goyaml";
import type { HelmVersion } from "../src/versions/helm-version.ts";
import { type ArchiveFile, bytesOf, type FileContent, packArchive } from "./archives.ts";

/** A file by its content, an archive by its entries, or a link; null for one that is left out. */
export type RenderingFile = FileContent | ArchiveFile | { readonly link: string } | null;

/** A chart with command lines of `helm template`. */
export interface Rendering {
  /** What it shows, and the charts' own name. */
  readonly name: string;
  /** By path in the chart's folder; without a Chart.yaml there is a plain one. */
  readonly files: Readonly<Record<string, RenderingFile>>;
  readonly cases: readonly RenderingCase[];
}

/** One command line; "CHART" stands for the chart's folder. */
export interface RenderingCase {
  /** Behind the usual `rel CHART --namespace ns --kube-version 1.35.0`. */
  readonly args?: readonly string[];
  /** Everything behind `helm template` instead. */
  readonly words?: readonly string[];
  readonly stdin?: string;
}

/** What a command line gives. */
export interface RenderingResult {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Folder of the charts. The results of Helm v3.22.0 are in golden/, those of v4.3.1 in golden-4/. */
export const renderingsFolder: string = join(import.meta.dirname, "../testdata/renderings");

/** Names of all charts. */
export function renderingNames(): string[] {
  return readdirSync(renderingsFolder)
    .filter((file) => file.endsWith(".yaml"))
    .map((file) => file.slice(0, -".yaml".length));
}

/** A chart by its name. */
export function readRendering(name: string): Rendering {
  const given = fromYaml(readFileSync(join(renderingsFolder, `${name}.yaml`), "utf8")) as Partial<Rendering>; // our own file
  const chartYaml = `apiVersion: v2\nname: ${name}\nversion: 1.2.3\nappVersion: "9"\n`;
  return { name, files: { "Chart.yaml": chartYaml, ...given.files }, cases: given.cases ?? [{}] };
}

/** File of the recorded results, one for each case. */
export function goldenRenderingFile(name: string, version: HelmVersion = "3"): string {
  return join(renderingsFolder, version === "3" ? "golden" : "golden-4", `${name}.json`);
}

/** Returns the results of Helm, one for each case. */
export function readGoldenRendering(name: string, version: HelmVersion = "3"): RenderingResult[] {
  const results = readResults<RenderingResult>(goldenRenderingFile(name));
  if (version === "3") return results;
  const own = readResults<Partial<RenderingResult>>(goldenRenderingFile(name, version));
  if (own.length !== results.length) {
    throw new Error(`${name}: expected ${results.length} results of Helm 4, found ${own.length}; record them again`);
  }
  return results.map((result, at) => ({ ...result, ...own[at] }));
}

/** Returns the fields of a result of Helm 4 that differ from the result of Helm 3. The file of recorded results stores only these. */
export function differenceOf(result: RenderingResult, base: RenderingResult | undefined): Partial<RenderingResult> {
  return Object.fromEntries(
    Object.entries(result).filter(([field, value]) => Reflect.get(Object(base), field) !== value),
  );
}

function readResults<T>(file: string): T[] {
  return JSON.parse(readFileSync(file, "utf8")) as T[]; // type of the recorder
}

/** Writes a chart's files into a folder. */
export async function writeRendering(folder: string, { files }: Rendering): Promise<void> {
  for (const [name, file] of Object.entries(files)) {
    if (file === null) continue;
    const target = join(folder, name);
    mkdirSync(dirname(target), { recursive: true });
    if (typeof file === "string") writeFileSync(target, file);
    else if ("link" in file) symlinkSync(file.link, target);
    else writeFileSync(target, "archive" in file ? await packArchive(file) : bytesOf(file));
  }
}

/** What stands behind `helm template` in a case. */
export function renderingWords({ args = [], words }: RenderingCase, folder: string): string[] {
  const usual = ["rel", "CHART", "--namespace", "ns", "--kube-version", "1.35.0", ...args];
  return (words ?? usual).map((word) => word.replaceAll("CHART", folder));
}

/** Returns the result without differences between machines and runs: the chart's folder, and the order of schema errors. */
export function plainRendering({ status, stdout, stderr }: RenderingResult, folder: string): RenderingResult {
  return {
    status,
    stdout: stdout.replaceAll(folder, "CHART"),
    stderr: sortSchemaErrors(stderr.replaceAll(folder, "CHART")),
  };
}

/** Sorts the errors of schemas: Helm checks properties in the order of a Go map, which differs between runs. */
function sortSchemaErrors(text: string): string {
  // Each error is a line "- at '/path': ...". Its causes follow with deeper indentation.
  return text.replaceAll(/^ *- at '.*(?:\n *- at '.*)*/gm, (errors) => sortErrors(errors.split("\n")).join("\n"));
}

/** Sorts errors of one indentation, and recursively their causes. */
function sortErrors(lines: readonly string[]): string[] {
  const indentation = lines[0]?.search(/\S/);
  const errors: { line: string; causes: string[] }[] = [];
  for (const line of lines) {
    if (line.search(/\S/) === indentation) errors.push({ line, causes: [] });
    else errors.at(-1)?.causes.push(line);
  }
  return errors
    .map(({ line, causes }) => [line, ...(causes.length === 0 ? [] : sortErrors(causes))])
    .toSorted((left, right) => (left.join("\n") < right.join("\n") ? -1 : 1))
    .flat();
}
