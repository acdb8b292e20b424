import { statSync } from "node:fs";
import { basename, isAbsolute, join } from "node:path";
import {
  type Chart,
  type ChartDependency,
  folderOf,
  loadChart,
  loadChartArchive,
  loadChartFolder,
  loadFolderFiles,
} from "@landscaper/helm";
import { parseConstraints, parseVersion } from "@landscaper/golang";
import { parseReference } from "@landscaper/oci";
import type { CommandContext } from "../../command.ts";
import type { ParsedFlags } from "../../flags/parse-flags.ts";
import { fetchRemote, type RemoteChart } from "./fetch-chart.ts";
import { HelmFailure } from "../helm-failure.ts";
import { type NamedRepository, readNamedRepositories, usable } from "./named-repositories.ts";

interface UpdateOptions {
  /** The chart's. */
  readonly folder: string;
  readonly parsed: ParsedFlags;
  readonly context: CommandContext;
}

type Listing = ReadonlyMap<string, Uint8Array>;

/**
 * A chart with the dependencies that its Chart.yaml names, fetched anew as `helm dependency update` does. Nothing is written: the chart's folder
 * and its Chart.lock stay as they are. Throws HelmFailure and ChartError in Helm's words, and LandscaperError where a dependency cannot be fetched.
 */
export async function withUpdatedDependencies(chart: Chart, options: UpdateOptions): Promise<Chart> {
  const { folder, parsed, context } = options;
  const wanted = chart.metadata.dependencies ?? [];
  const repositories = readNamedRepositories(parsed, context);
  const resolved = wanted.map((dependency) => ({ dependency, at: placeOf(dependency, repositories) }));
  const unknown = resolved.flatMap(({ dependency, at }) => (at === undefined ? [dependency.repository ?? ""] : []));
  if (unknown.length > 0) throw new HelmFailure(unknownRepositories(unknown));
  const fetched = new Map<string, Uint8Array>();
  for (const { dependency, at } of resolved) {
    for (const [path, data] of await provide(dependency, at, options)) fetched.set(path, data);
  }
  const local = new Set(wanted.filter(({ repository = "" }) => repository === "").map(({ name }) => name));
  const kept: [string, Uint8Array][] = [];
  for (const { name, data } of chart.raw) if (!(await isOutdated(name, data, local))) kept.push([name, data]);
  return await loadChartFolder(folderOf(new Map([...kept, ...fetched]), folder));
}

/** Where a dependency comes from. */
type Place =
  | { readonly type: "charts" }
  | { readonly type: "folder"; readonly path: string }
  | { readonly type: "registry"; readonly url: string }
  | { readonly type: "repository"; readonly url: string; readonly named: NamedRepository | undefined };

/** Undefined for a name that stands for no repository, and for what is no URL. */
function placeOf({ repository = "" }: ChartDependency, known: readonly NamedRepository[]): Place | undefined {
  if (repository === "") return { type: "charts" };
  if (repository.startsWith("file://")) return { type: "folder", path: repository.slice("file://".length) };
  if (repository.startsWith("oci://")) return { type: "registry", url: repository };
  const [, name] = /^(?:@|alias:)(.*)$/.exec(repository) ?? [];
  const bare = (url: string): string => url.replace(/\/+$/, "");
  const named = known.find((each) => (name === undefined ? bare(each.url) === bare(repository) : each.name === name));
  if (named !== undefined) return { type: "repository", url: named.url, named: usable(named) };
  return name === undefined && URL.canParse(repository) ? { type: "repository", url: repository, named } : undefined;
}

function unknownRepositories(missing: readonly string[]): string {
  const message = `no repository definition for ${missing.join(", ")}. Please add them via 'helm repo add'`;
  const hasPlainName = missing.some((each) => !/\/\/|^@|^alias:/.test(each));
  if (!hasPlainName) return message;
  return `${message}
Note that repositories must be URLs or aliases. For example, to refer to the "example"
repository, use "https://charts.example.com/" or "@example" instead of
"example". Don't forget to add the repo, too ('helm repo add').`;
}

/** The files of a dependency below the chart's folder. */
async function provide(dependency: ChartDependency, at: Place | undefined, options: UpdateOptions): Promise<Listing> {
  if (at === undefined || at.type === "charts") return new Map();
  const { name, version = "" } = dependency;
  if (at.type === "folder") return await localFiles(dependency, at.path, options);
  const { parsed, context } = options;
  context.writeError(`Downloading ${name} from repo ${at.url}\n`);
  const { archive } = await fetchRemote(describe(dependency, at), withoutLogin(parsed), context);
  const { metadata } = await loadChartArchive(archive);
  checkVersion(dependency, metadata.version, version);
  return new Map([[`charts/${metadata.name}-${metadata.version}.tgz`, archive]]);
}

async function localFiles(dependency: ChartDependency, path: string, { folder }: UpdateOptions): Promise<Listing> {
  const source = isAbsolute(path) ? path : join(folder, path);
  if (statSync(source, { throwIfNoEntry: false }) === undefined) {
    throw new HelmFailure(`directory ${source} not found`);
  }
  const { metadata } = await loadChart(source);
  checkVersion(dependency, metadata.version, dependency.version ?? "");
  return new Map(loadFolderFiles(source).map(({ name, data }) => [`charts/${metadata.name}/${name}`, data]));
}

function describe(
  { name, version = "" }: ChartDependency,
  at: Extract<Place, { type: "registry" | "repository" }>,
): RemoteChart {
  const range = version === "" ? "*" : version;
  const missingVersion = noVersion({ name, repository: at.url, version });
  if (at.type === "registry") {
    const text = `${at.url.replace(/\/+$/, "")}/${name}`;
    return { source: { ref: `${text}:${range}` }, registry: parseReference(text), missing: missingVersion };
  }
  const { url, named: repository } = at;
  const source = { helmChartRepo: { helmChartRepoUrl: url, helmChartName: name, helmChartVersion: range } };
  return { source, repository, missing: `${name} chart not found in repo ${url}`, missingVersion };
}

function noVersion({
  name,
  repository = "",
  version = "",
}: Pick<ChartDependency, "name" | "repository" | "version">): string {
  const wanted = `"${name}" (repository "${repository}", version "${version}")`;
  const advice =
    "Make sure a matching chart version exists in the repo, or change the version constraint in Chart.yaml";
  return `can't get a valid version for 1 subchart(s): ${wanted}. ${advice}`;
}

function checkVersion(dependency: ChartDependency, found: string, range: string): void {
  if (range === "" || parseConstraints(range).isFulfilledBy(parseVersion(found))) return;
  throw new HelmFailure(noVersion(dependency));
}

/** User and password of the command line are for the chart itself. */
function withoutLogin(parsed: ParsedFlags): ParsedFlags {
  const hidden = new Set(["username", "password", "pass-credentials"]);
  return { ...parsed, text: (name) => (hidden.has(name) ? undefined : parsed.text(name)) };
}

/** Packed charts that an update replaces: all but those that Chart.yaml has without a repository. */
async function isOutdated(path: string, data: Uint8Array, local: ReadonlySet<string>): Promise<boolean> {
  if (!/^charts\/[^/]+\.tgz$/.test(path) || basename(path).startsWith("_")) return false;
  try {
    return !local.has((await loadChartArchive(data)).metadata.name);
  } catch {
    // Helm keeps what it cannot read; loading the chart says what is wrong.
    return false;
  }
}
