import { createReadStream } from "node:fs";
import { resolve } from "node:path";
import { LandscaperError, quoteText } from "@landscaper/api";
import type { RepositoryChart } from "@landscaper/chart-source";
import { readBounded } from "@landscaper/oci";
import type { HelmInput } from "@landscaper/ocm";
import { maxChartBytes } from "../archive/archive-limits.ts";
import { packArtifact, packedTypeOf } from "../archive/pack-artifact.ts";
import { componentError, withPlace } from "../component-error.ts";
import { systemErrorCode } from "../system-error.ts";
import { tagOf, warnedArtifactName } from "./artifact-name.ts";
import { chartArtifact, type PackedChart } from "./chart-artifact.ts";
import type { InputContent, OpenInputOptions } from "./input-tools.ts";

/** The artifact of a chart: from a folder or file, or from a repository of charts. Throws LandscaperError. */
export async function openChart(input: HelmInput, options: OpenInputOptions): Promise<InputContent> {
  const { component, where, warn } = options;
  const { repository } = input;
  const chart = await readChart(input, options);
  const version = input.version ?? chart.version;
  if (version !== chart.version) {
    warn(
      `${where}: version: the chart ${chart.name} has the version ${quoteText(chart.version)}; only the tag of the artifact is ${quoteText(version)}`,
    );
  }
  const artifact = chartArtifact(chart, tagOf(version));
  const { manifest } = artifact;
  const referenceName = warnedArtifactName(
    { componentName: component.name, repository, fallback: chart.name, tag: artifact.tag },
    options,
  );
  return {
    mediaType: packedTypeOf(manifest.mediaType),
    stream: packArtifact(artifact),
    artifact: { digest: manifest.digest, referenceName },
  };
}

/** Fields of an input with `path`, for messages. */
const inputFields = { url: "helmRepository", name: "path", version: "version" };
/** Fields of an input without `path`: `helmRepository` has repository, name and version. */
const referenceFields = {
  url: "helmRepository",
  name: "helmRepository",
  version: "helmRepository",
  ca: "caCert",
};

function authorityField({ caCertFile }: HelmInput): string {
  return caCertFile === undefined ? "caCert" : "caCertFile";
}

async function readChart(input: HelmInput, options: OpenInputOptions): Promise<PackedChart> {
  const { path, helmRepository } = input;
  const { folder, where, tools } = options;
  if (helmRepository !== undefined) return await fetchFromRepository(input, helmRepository, options);
  if (path === undefined) {
    throw componentError("InvalidComponent", `${where}: path: expected a chart, or helmRepository with one`);
  }
  return await withPlace(`${where}: path`, async () => await tools.readChart(resolve(folder, path)));
}

/** With `path` a chart of the repository, without it the repository is the URL of the chart itself. */
async function fetchFromRepository(
  input: HelmInput,
  helmRepository: string,
  options: OpenInputOptions,
): Promise<PackedChart> {
  const { tools, where, signal } = options;
  const { path, version } = input;
  const ca = await authorityOf(input, options);
  const place = `${where}: helmRepository`;
  if (path === undefined && /^https?:\/\//i.test(helmRepository)) {
    if (ca !== undefined)
      throw componentError("InvalidComponent", `${where}: caCert: expected path and version with it`);
    const fetched = await tools.fetchUrl({ type: "wget", url: helmRepository }, { where: place, signal });
    const archive = await readBounded(fetched.stream, { limit: maxChartBytes, place });
    return await withPlace(place, async () => await tools.readChartArchive(archive));
  }
  const fields = path === undefined ? referenceFields : { ...inputFields, ca: authorityField(input) };
  const chart =
    path === undefined ? chartOfReference(helmRepository, place) : { repository: helmRepository, chart: path, version };
  if (chart.version === undefined) {
    throw componentError("InvalidComponent", `${where}: version: expected the version of the chart in the repository`);
  }
  const { archive } = await withPlace(where, async () => await tools.fetchChart({ ...chart, ca, fields }, { signal }));
  return await withPlace(place, async () => await tools.readChartArchive(archive));
}

/** Reads `oci://HOST/REPOSITORY/CHART:VERSION`. */
function chartOfReference(text: string, where: string): Omit<RepositoryChart, "ca"> {
  const found = /^(oci:\/\/.+)\/([^/:]+):([^/:]+)$/.exec(text);
  const [, repository, chart, version] = found ?? [];
  if (repository !== undefined && chart !== undefined && version !== undefined) return { repository, chart, version };
  throw componentError(
    "InvalidComponent",
    `${where}: without path, expected the URL of a packed chart, or oci://HOST/REPOSITORY/CHART:VERSION`,
  );
}

/** Maximum size of a file with certificates. */
const maxAuthorityBytes = 1024 * 1024;

async function authorityOf(
  { caCert, caCertFile }: HelmInput,
  { folder, where }: OpenInputOptions,
): Promise<string | undefined> {
  if (caCertFile === undefined) return caCert;
  if (caCert !== undefined) {
    throw componentError("InvalidComponent", `${where}: expected caCert or caCertFile, found both`);
  }
  const file = resolve(folder, caCertFile);
  try {
    const place = `${where}: caCertFile: ${file}`;
    return Buffer.from(await readBounded(createReadStream(file), { limit: maxAuthorityBytes, place })).toString();
  } catch (error) {
    if (error instanceof LandscaperError) throw error;
    const reason = systemErrorCode(error) ?? "unknown error";
    throw componentError(
      "InvalidComponent",
      `${where}: caCertFile: cannot read ${file} (${reason}). Correct the path; it is relative to the constructor file.`,
    );
  }
}
