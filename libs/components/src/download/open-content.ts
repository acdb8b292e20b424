import {
  formatReference,
  parseImageManifest,
  parseReference,
  type ImageReference,
  type Manifest,
} from "@landscaper/oci";
import { parseAccess, type Access, type Resource } from "@landscaper/ocm";
import { streamOf } from "../archive/stream-of.ts";
import { isPackedArtifact } from "../archive/pack-artifact.ts";
import { isIndex } from "../build/index-manifest.ts";
import { componentError } from "../component-error.ts";
import type { ArtifactStore, CallOptions } from "../repository/artifact-store.ts";
import type { ComponentVersion } from "../repository/component-version.ts";
import { packParts, readParts } from "../transfer/artifact-parts.ts";
import { sourceInStore, withPackedArtifact, type ArtifactSource } from "../transfer/artifact-source.ts";
import { fetchChartOf, type FetchChart } from "../source/fetch-chart.ts";
import { checkArtifactDigest, withBlobDigest } from "../verify/compare-digest.ts";

export interface ContentOptions extends CallOptions {
  /** The registry of a reference. */
  readonly openRegistry: (reference: ImageReference) => ArtifactStore;
  /** Default: charts of Helm repositories are not read. */
  readonly fetchChart?: FetchChart | undefined;
  /** Begins messages: component and resource. */
  readonly where: string;
}

type Use<T> = (content: AsyncIterable<Uint8Array>) => Promise<T>;

/**
 * Runs `use` with the content of a resource as it is stored, an artifact of a registry packed with all its blobs. The bytes may be used only after the
 * end, which throws when they are not those of the digests. Throws LandscaperError for content that cannot be read.
 */
export async function withContent<T>(
  { version, resource }: ResourceOf,
  options: ContentOptions,
  use: Use<T>,
): Promise<T> {
  const parsed = parseAccess(resource.access, options.where);
  if (parsed.kind !== "artifact")
    return await use(withBlobDigest(await openBytes(version, parsed, options), resource, options.where));
  return await withArtifact(resource, parseReference(parsed.reference), {
    options,
    use: async (main, source, tag) => await use(packParts(await readParts(main, source), source, tag)),
  });
}

/** The same with the archive that a resource is: of an artifact, its first layer, where blueprints and charts have their files. */
export async function withArchive<T>(
  { version, resource }: ResourceOf,
  options: ContentOptions,
  use: Use<T>,
): Promise<T> {
  const { where, signal } = options;
  const parsed = parseAccess(resource.access, where);
  const firstLayer = async (main: Manifest, source: ArtifactSource): Promise<T> => {
    checkArtifactDigest(resource, main.digest, where);
    if (isIndex(main)) {
      throw componentError(
        "InvalidComponent",
        `${where}: expected one image to unpack, found an index of images. Download the index without --unpack.`,
      );
    }
    const [layer] = parseImageManifest(main, where).layers;
    if (layer === undefined) throw componentError("InvalidComponent", `${where}: the artifact has no layer`);
    return await use(source.stream(layer));
  };
  if (parsed.kind === "artifact") {
    return await withArtifact(resource, parseReference(parsed.reference), { options, use: firstLayer });
  }
  if (parsed.kind === "local") {
    const content = await version.findLocal(parsed.reference);
    if (isPackedArtifact(parsed.mediaType ?? content.mediaType)) {
      return await withPackedArtifact(content.stream({ signal }), where, firstLayer);
    }
  }
  return await use(withBlobDigest(await openBytes(version, parsed, options), resource, where));
}

export interface ResourceOf {
  readonly version: ComponentVersion;
  readonly resource: Resource;
}

async function openBytes(
  version: ComponentVersion,
  access: Access,
  { openRegistry, fetchChart, where, signal }: ContentOptions,
): Promise<AsyncIterable<Uint8Array>> {
  switch (access.kind) {
    case "local":
      return (await version.findLocal(access.reference)).stream({ signal });
    case "blob": {
      const { digest, size, mediaType = "" } = access;
      const reference = parseReference(access.repository);
      return openRegistry(reference).streamBlob(reference.repository, { digest, size, mediaType }, { signal });
    }
    case "none":
      throw componentError("InvalidComponent", `${where}: it has no content (access type none)`);
    case "chart":
      return streamOf((await fetchChartOf(access, { fetchChart, where, signal })).archive);
    case "artifact":
    case "relative-artifact":
      throw componentError("InvalidComponent", `${where}: content of this access type is not downloaded`);
    case "other":
      throw componentError("InvalidComponent", `${where}: content of the access type ${access.type} cannot be read`);
  }
}

interface ArtifactUse<T> {
  readonly options: ContentOptions;
  readonly use: (main: Manifest, source: ArtifactSource, tag: string | undefined) => Promise<T>;
}

async function withArtifact<T>(
  resource: Resource,
  reference: ImageReference,
  { options: { openRegistry, where, signal }, use }: ArtifactUse<T>,
): Promise<T> {
  const { repository, tag, digest } = reference;
  const registry = openRegistry(reference);
  const main = await registry.findManifest(repository, digest ?? tag ?? "latest", { signal });
  if (main === undefined)
    throw componentError("InvalidComponent", `${where}: ${formatReference(reference)} is not there`);
  checkArtifactDigest(resource, main.digest, where);
  return await use(main, sourceInStore(registry, repository, { where, signal }), tag);
}
