import { LandscaperError } from "@landscaper/api";
import { readBounded } from "@landscaper/oci";
import { streamOf } from "../archive/stream-of.ts";
import { fetchChartOf, type FetchChart } from "../source/fetch-chart.ts";
import { createHashNamed, parseAccess, type Resource } from "@landscaper/ocm";
import { withPlace } from "../component-error.ts";
import { artifactIndexes, mainDigestOf, parseIndex } from "../archive/read-artifact-set.ts";
import { readArchive } from "../archive/read-archive.ts";
import { transportLimits } from "../archive/archive-limits.ts";
import type { CallOptions } from "../repository/artifact-store.ts";
import type { ComponentVersion } from "../repository/component-version.ts";

/** Hash of a resource's content in hex, or why it cannot be read here. */
export type ResourceDigest = { readonly value: string } | { readonly unread: string };

/** The digest of an artifact in a registry, by its reference. */
export type ResolveArtifact = (reference: string, options: CallOptions) => Promise<string>;

export interface DigestOptions extends CallOptions {
  readonly resolveArtifact: ResolveArtifact;
  /** Default: charts of Helm repositories are not read. */
  readonly fetchChart?: FetchChart | undefined;
  /** Begins messages: component and resource. */
  readonly where: string;
}

const artifactNormalisations: ReadonlySet<string> = new Set(["ociArtifactDigest/v1", "ociArtefactDigest/v1"]);

/** Whether a digest is that of a manifest. */
export function isArtifactDigest({ normalisationAlgorithm }: NonNullable<Resource["digest"]>): boolean {
  return artifactNormalisations.has(normalisationAlgorithm);
}

/** The digest of what the resource names now, in the way that its own digest was made (docs/reference/components.md#signatures). Throws LandscaperError that names the resource. */
export async function digestOfResource(
  version: ComponentVersion,
  resource: Resource,
  options: DigestOptions,
): Promise<ResourceDigest> {
  return await withPlace(options.where, async () => await readDigest(version, resource, options));
}

async function readDigest(
  version: ComponentVersion,
  { access, digest }: Resource,
  options: DigestOptions,
): Promise<ResourceDigest> {
  const { where, signal } = options;
  if (digest === undefined) return { unread: "it has no digest" };
  const { normalisationAlgorithm, hashAlgorithm } = digest;
  const isArtifact = isArtifactDigest(digest);
  if (!isArtifact && normalisationAlgorithm !== "genericBlobDigest/v1") {
    return { unread: `digests of ${normalisationAlgorithm} are not known` };
  }
  const parsed = parseAccess(access, where);
  if (parsed.kind === "local") {
    const content = await version.findLocal(parsed.reference);
    const stream = content.stream({ signal });
    return {
      value: isArtifact ? await readMainDigest(stream, where) : await hashOfStream(stream, hashAlgorithm, where),
    };
  }
  if (parsed.kind === "artifact" && isArtifact) {
    const find = async (): Promise<string> => await options.resolveArtifact(parsed.reference, { signal });
    return await unlessWithheld(async () => hexOf(await find()), signal);
  }
  if (parsed.kind === "chart" && !isArtifact && options.fetchChart !== undefined) {
    const { fetchChart } = options;
    return await unlessWithheld(async () => {
      const { archive } = await fetchChartOf(parsed, { fetchChart, where, signal });
      return await hashOfStream(streamOf(archive), hashAlgorithm, where);
    }, signal);
  }
  return { unread: `content of the access type ${access?.type ?? ""} is not read here` };
}

/** What a registry does when it does not give its content; that says nothing about what the content is. */
const withheld: ReadonlySet<string> = new Set([
  "RegistryUnauthorized",
  "RegistryForbidden",
  "RegistryNotFound",
  "ChartNotFound",
  "RegistryUnavailable",
  "RegistryUnreachable",
]);

async function unlessWithheld(digest: () => Promise<string>, signal: AbortSignal): Promise<ResourceDigest> {
  try {
    return { value: await digest() };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof LandscaperError && withheld.has(error.reason)) return { unread: error.message };
    throw error;
  }
}

function hexOf(digest: string): string {
  return digest.slice(digest.indexOf(":") + 1);
}

/** In hex. Throws LandscaperError for an unknown algorithm. */
export async function hashOfStream(
  stream: AsyncIterable<Uint8Array>,
  algorithm: string,
  where: string,
): Promise<string> {
  const hash = createHashNamed(algorithm, where);
  for await (const part of stream) hash.update(part);
  return hash.digest("hex");
}

const maxIndexBytes = 4 * 1024 * 1024;

/** Of an artifact that is packed with its blobs: the one that the index marks, else its only one (docs/reference/components.md#artifacts). */
export async function readMainDigest(stream: AsyncIterable<Uint8Array>, where: string): Promise<string> {
  let index: unknown;
  for await (const { path, content } of readArchive(stream, { limits: transportLimits, where })) {
    if (!artifactIndexes.has(path)) continue;
    const bytes = await readBounded(content, { limit: maxIndexBytes, place: where });
    index = parseIndex(bytes, `${where}: ${path}`);
  }
  return hexOf(mainDigestOf(index, where));
}
