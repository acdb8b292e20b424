import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { matchesDigest, mediaTypeOfManifest, mediaTypes, type Descriptor, type Manifest } from "@landscaper/oci";
import { transportLimits } from "../archive/archive-limits.ts";
import { artifactIndexes, mainDigestOf, parseIndex } from "../archive/read-artifact-set.ts";
import { unpackArchive } from "../archive/unpack-archive.ts";
import { componentError } from "../component-error.ts";
import type { ArtifactStore, CallOptions } from "../repository/artifact-store.ts";
import { BlobFolder, fileOfDigest } from "../repository/blob-folder.ts";

/** Where the manifests and blobs of one artifact lie. */
export interface ArtifactSource {
  /** For messages. */
  readonly where: string;
  findManifest(digest: string): Promise<Manifest | undefined>;
  /** Verified at its end. */
  stream(blob: Descriptor): AsyncIterable<Uint8Array>;
}

/** An artifact in a repository of a registry. */
export function sourceInStore(
  store: ArtifactStore,
  repository: string,
  { where, signal }: CallOptions & { readonly where: string },
): ArtifactSource {
  return {
    where,
    findManifest: async (digest) => await store.findManifest(repository, digest, { signal }),
    stream: (blob) => store.streamBlob(repository, blob, { signal }),
  };
}

/** Runs `work` with an artifact that is packed with its blobs, unpacked into a temporary folder. Throws LandscaperError. */
export async function withPackedArtifact<T>(
  packed: AsyncIterable<Uint8Array>,
  where: string,
  work: (main: Manifest, source: ArtifactSource) => Promise<T>,
): Promise<T> {
  const path = await mkdtemp(join(tmpdir(), "landscaper-artifact-"));
  try {
    await unpackArchive(packed, { folder: path, limits: transportLimits, where });
    const source = sourceInFolder(new BlobFolder(path), where);
    const digest = await readMainDigest(new BlobFolder(path), where);
    const main = await source.findManifest(digest);
    if (main !== undefined) return await work(main, source);
    throw componentError("InvalidComponent", `${where}: expected content with the digest ${digest}, found none`);
  } finally {
    await rm(path, { recursive: true, force: true });
  }
}

async function readMainDigest(folder: BlobFolder, where: string): Promise<string> {
  for (const name of artifactIndexes) {
    const bytes = await folder.read(name);
    if (bytes !== undefined) return mainDigestOf(parseIndex(bytes, `${where}: ${name}`), where);
  }
  throw componentError("InvalidComponent", `${where}: expected an artifact with its index`);
}

interface BlobPlace {
  readonly names: readonly string[];
  readonly size: number;
}

/** Blobs have either form of name (docs/reference/components.md#component-archives-and-transfer). */
async function placeOf(folder: BlobFolder, digest: string, where: string): Promise<BlobPlace | undefined> {
  const flat = fileOfDigest(digest, where);
  for (const names of [
    ["blobs", flat],
    ["blobs", ...digest.split(":")],
  ]) {
    const size = await folder.sizeOf(...names);
    if (size !== undefined) return { names, size };
  }
  return undefined;
}

/** Size of the blob of a digest in bytes; undefined when it is not there. */
export async function sizeInFolder(folder: BlobFolder, digest: string, where: string): Promise<number | undefined> {
  return (await placeOf(folder, digest, where))?.size;
}

/** An artifact in a folder with its blobs. */
export function sourceInFolder(folder: BlobFolder, where: string): ArtifactSource {
  return {
    where,
    findManifest: async (digest) => {
      const place = await placeOf(folder, digest, where);
      const bytes = place === undefined ? undefined : await folder.read(...place.names);
      if (bytes === undefined) return undefined;
      if (!matchesDigest(bytes, digest)) {
        throw componentError("InvalidComponent", `${where}: digest mismatch: the content is not that of ${digest}`);
      }
      const mediaType = mediaTypeOfManifest(bytes) ?? mediaTypes.ociManifest;
      return { mediaType, digest, size: bytes.length, bytes };
    },
    stream: async function* (blob) {
      const place = await placeOf(folder, blob.digest, where);
      yield* folder.stream(blob, ...(place?.names ?? ["blobs", fileOfDigest(blob.digest, where)]));
    },
  };
}
