import { suggestName } from "@landscaper/api";
import { isObject } from "@landscaper/oci";
import { fromYaml } from "@landscaper/goyaml";
import { chartNotFound, invalidSource } from "./chart-source-error.ts";
import { selectVersion } from "./select-version.ts";

/** A version of a chart in a repository. */
export interface IndexEntry {
  readonly version: string;
  /** As in the index: absolute, or relative to the repository. */
  readonly url: string;
  /** `sha256:...` where the index gives one. */
  readonly digest: string | undefined;
}

/** What is looked for in an index.yaml; `where` names the repository. */
export interface IndexQuery {
  readonly name: string;
  readonly version: string;
  readonly where: string;
}

const maxNamed = 5;
/** Longer names are not shown: the server controls the index. */
const maxNameLength = 100;

/**
 * Finds a chart in an index.yaml: work for a thread, since an index can have tens of megabytes. Throws LandscaperError: InvalidChartSource when the index is none,
 * ChartNotFound with what there is instead.
 */
export function findInIndex(index: Uint8Array, { name, version, where }: IndexQuery): IndexEntry {
  const charts = parseIndex(Buffer.from(index).toString("utf8"), where);
  const entries = charts[name];
  if (!Array.isArray(entries)) throw chartNotFound(`${where}: has no chart ${name}${describeCharts(name, charts)}`);
  const known = entries.filter(isObject).filter((entry) => typeof entry["version"] === "string");
  const versions = known.map((entry) => String(entry["version"]));
  const selected = selectVersion(version, versions);
  if (selected === undefined) {
    const named = versions.slice(0, maxNamed).join(", ");
    const more = versions.length > maxNamed ? ` and ${versions.length - maxNamed} more` : "";
    const found = versions.length === 0 ? "none" : `${named}${more}`;
    throw chartNotFound(`${where}: chart ${name} has no version ${version}, found ${found}`);
  }
  const { urls, digest } = known[versions.indexOf(selected)] ?? {};
  const url = Array.isArray(urls) ? (urls as unknown[]).find((each) => typeof each === "string") : undefined;
  if (typeof url !== "string") throw invalidSource(`${where}: chart ${name} ${selected} has no URL`);
  return { version: selected, url, digest: readDigest(digest) };
}

/** Suggests the chart whose name is most like the missing one, or lists some charts of the repository. Returns "" if it has none. */
function describeCharts(name: string, charts: Readonly<Record<string, unknown>>): string {
  const names = Object.keys(charts).filter((each) => Array.isArray(charts[each]));
  const meant = suggestName(name, names);
  if (meant !== "") return meant;
  const shown = names.filter((each) => each.length <= maxNameLength).slice(0, maxNamed);
  if (shown.length === 0) return "";
  const more = names.length > shown.length ? ` and ${names.length - shown.length} more` : "";
  return `: it has ${shown.map((each) => JSON.stringify(each)).join(", ")}${more}`;
}

function parseIndex(text: string, where: string): Record<string, unknown> {
  let index: unknown;
  try {
    index = fromYaml(text);
  } catch (error) {
    throw invalidSource(`${where}: index.yaml: ${error instanceof Error ? error.message : "is no YAML"}`);
  }
  const entries = isObject(index) ? index["entries"] : undefined;
  if (isObject(entries)) return entries;
  throw invalidSource(`${where}: index.yaml: expected an object with entries; is this a Helm repository?`);
}

function readDigest(digest: unknown): string | undefined {
  if (typeof digest !== "string") return undefined;
  const hex = digest.replace(/^sha256:/, "").toLowerCase();
  return /^[0-9a-f]{64}$/.test(hex) ? `sha256:${hex}` : undefined;
}
