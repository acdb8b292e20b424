import { LandscaperError } from "@landscaper/api";
import {
  digestOf,
  formatReference,
  parseImageManifest,
  parseReference,
  type CallOptions,
  type ContentCache,
  type Descriptor,
  type ImageReference,
  type RegistrySession,
} from "@landscaper/oci";
import { chartNotFound, invalidSource } from "./chart-source-error.ts";
import type { FetchedChart } from "./fetched-chart.ts";
import { isRange, selectVersion } from "./select-version.ts";

interface OciChartOptions extends CallOptions {
  readonly session: RegistrySession;
  readonly cache: ContentCache | undefined;
  /** Of the field, for messages. */
  readonly where: string;
}

/** The layer that holds the packed chart, and its name in early versions of Helm. */
const chartLayers = new Set(["application/vnd.cncf.helm.chart.content.v1.tar+gzip", "application/tar+gzip"]);

/**
 * A chart of an OCI registry by `host/repository:tag`, `@digest`, or `:RANGE` of versions (a tag of that name wins). The digest is
 * resolved first: what was verified is what is used.
 */
export async function fetchOciChart(text: string, options: OciChartOptions): Promise<FetchedChart> {
  const reference = await resolveVersion(text, options);
  const { session, signal, cache } = options;
  const digest = reference.digest ?? (await session.resolve(reference, { signal })).digest;
  const pinned = { ...reference, digest };
  const owner = {
    host: reference.host,
    repository: reference.repository,
    credential: session.credentialFor(reference),
  };
  const through = async (key: string, fetch: () => Promise<Uint8Array>): Promise<Uint8Array> =>
    cache === undefined ? await fetch() : await cache.get({ digest: key, owner }, fetch);
  const bytes = await through(digest, async () => (await session.fetchManifest(pinned, { signal })).bytes);
  const place = formatReference(pinned);
  const layer = chartLayerOf(bytes, { place, where: options.where });
  const archive = await through(layer.digest, async () => session.fetchBlob(pinned, layer, { signal }));
  const version = reference.tag?.replaceAll("_", "+");
  const found = { archive, digest: digestOf(archive), origin: place, reference: pinned };
  return version === undefined ? found : { ...found, version };
}

function chartLayerOf(bytes: Uint8Array, { place, where }: { place: string; where: string }): Descriptor {
  const { layers } = parseImageManifest({ bytes }, place);
  const layer = layers.find((each) => chartLayers.has(each.mediaType));
  if (layer !== undefined) return layer;
  const found = layers.map((each) => each.mediaType).join(", ");
  throw invalidSource(
    `${where}: ${place} is no Helm chart: none of its layers is one, found ${found === "" ? "none" : found}`,
  );
}

/** Tags have no "+": Helm writes "_" in its place. */
async function resolveVersion(text: string, options: OciChartOptions): Promise<ImageReference> {
  const { session, signal, where } = options;
  const { repository, version, rest } = splitVersion(text);
  if (version === undefined) {
    const reference = parseReference(text);
    if (reference.digest !== undefined) return reference;
    throw invalidSource(`${where}: expected a tag, a range of versions or a digest after ${text}`);
  }
  const tag = version.replaceAll("+", "_");
  if (/^\w[\w.-]{0,127}$/.test(tag)) {
    const reference = parseReference(`${repository}:${tag}${rest}`);
    if (reference.digest !== undefined || !isRange(version) || (await exists(reference, options))) return reference;
  } else if (!isRange(version)) {
    throw invalidSource(`${where}: expected a tag or a range of versions, found "${version}"`);
  }
  const base = parseReference(repository);
  const tags = (await session.listTags(base, { signal })).map((each) => each.replaceAll("_", "+"));
  const selected = selectVersion(version, tags);
  if (selected === undefined) throw chartNotFound(`${formatReference(base)}: no tag is a version of ${version}`);
  return { ...base, tag: selected.replaceAll("+", "_") };
}

async function exists(reference: ImageReference, { session, signal }: OciChartOptions): Promise<boolean> {
  try {
    await session.resolve(reference, { signal });
    return true;
  } catch (error) {
    if (error instanceof LandscaperError && error.reason === "RegistryNotFound") return false;
    throw error;
  }
}

/** Host and repository, what stands after their colon, and the digest with its "@". */
function splitVersion(text: string): { repository: string; version: string | undefined; rest: string } {
  const at = text.indexOf("@");
  const name = at < 0 ? text : text.slice(0, at);
  const rest = at < 0 ? "" : text.slice(at);
  const colon = name.lastIndexOf(":");
  const hasVersion = colon > name.lastIndexOf("/");
  return hasVersion
    ? { repository: name.slice(0, colon), version: name.slice(colon + 1), rest }
    : { repository: name, version: undefined, rest };
}
