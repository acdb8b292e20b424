import { mediaTypes, parseImageManifest, type Descriptor, type Manifest } from "@landscaper/oci";
import { packArtifact } from "../archive/pack-artifact.ts";
import { streamOf } from "../archive/stream-of.ts";
import { componentError } from "../component-error.ts";
import type { CallOptions } from "../repository/artifact-store.ts";
import { digestsOf } from "../repository/component-manifest.ts";
import type { ArtifactSink } from "../write/artifact-sink.ts";
import type { ArtifactSource } from "./artifact-source.ts";

/** All that an artifact consists of. */
export interface ArtifactParts {
  readonly main: Manifest;
  /** Of an index, those that others name before them. */
  readonly manifests: readonly Manifest[];
  readonly blobs: readonly Descriptor[];
}

const maxManifests = 200;
const maxDepth = 4;
const indexTypes: ReadonlySet<string> = new Set([mediaTypes.ociIndex, mediaTypes.dockerList]);

/** Reads the manifests of an artifact. Throws LandscaperError for one that is not there, and for more of them than any artifact has. */
export async function readParts(main: Manifest, source: ArtifactSource): Promise<ArtifactParts> {
  const manifests = new Map<string, Manifest>();
  const blobs = new Map<string, Descriptor>();
  const add = async (manifest: Manifest, depth: number): Promise<void> => {
    if (!indexTypes.has(manifest.mediaType)) {
      const { config, layers } = parseImageManifest(manifest, source.where);
      for (const blob of [config, ...layers]) blobs.set(blob.digest, blob);
      return;
    }
    for (const digest of digestsOf(manifest, source.where)) {
      if (manifests.has(digest)) continue;
      if (depth >= maxDepth || manifests.size >= maxManifests) {
        throw componentError(
          "InvalidComponent",
          `${source.where}: expected at most ${maxManifests} manifests in ${maxDepth} levels`,
        );
      }
      const inner = await source.findManifest(digest);
      if (inner === undefined)
        throw componentError("InvalidComponent", `${source.where}: there is no manifest ${digest}`);
      await add(inner, depth + 1);
      manifests.set(digest, inner);
    }
  };
  await add(main, 0);
  return { main, manifests: [...manifests.values()], blobs: [...blobs.values()] };
}

export interface CopyOptions extends CallOptions {
  readonly repository: string;
  readonly tag: string | undefined;
}

/** Stores an artifact with all its content; blobs that are there already are not read. */
export async function copyArtifact(
  { main, manifests, blobs }: ArtifactParts,
  { source, sink }: { readonly source: ArtifactSource; readonly sink: ArtifactSink },
  { repository, tag, signal }: CopyOptions,
): Promise<void> {
  for (const blob of blobs) await sink.pushBlob(repository, source.stream(blob), { signal, digest: blob.digest });
  for (const manifest of manifests) await sink.pushManifest(repository, manifest, { signal });
  await sink.pushManifest(repository, main, { signal, tag });
}

/** An artifact with all its content as one blob. */
export function packParts(
  { main, manifests, blobs }: ArtifactParts,
  source: ArtifactSource,
  tag: string | undefined,
): AsyncGenerator<Uint8Array> {
  const inner = manifests.map(({ digest, size, bytes }) => ({ digest, size, stream: () => streamOf(bytes) }));
  const content = blobs.map((blob) => ({ digest: blob.digest, size: blob.size, stream: () => source.stream(blob) }));
  return packArtifact({ manifest: main, tag, blobs: [...inner, ...content] });
}
