import { createReadStream, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { WholeArtifact } from "@landscaper/components";
import { digestOf, mediaTypes, parseImageManifest, type Descriptor } from "@landscaper/oci";
import { readArchive } from "../images/oci-archive.ts";
import { runCommand } from "../run-command.ts";
import type { ReleaseArtifact } from "./release-artifact.ts";

/** The archive of an image for one architecture. */
export interface ImageArchive {
  /** Of the image: "helm-deployer". */
  readonly name: string;
  readonly architecture: string;
  readonly file: string;
}

/** What the labels of an image have to say. */
export interface ImageLabels {
  readonly version: string;
  readonly revision: string;
}

/** Throws an error for an archive that was not built of this commit, or for another architecture. */
export function checkArchive({ file, architecture }: ImageArchive, { version, revision }: ImageLabels): void {
  const { config } = readArchive(file);
  const labels = config.config.Labels ?? {};
  const expected = { architecture, version, revision };
  const found = {
    architecture: config.architecture,
    version: labels["org.opencontainers.image.version"],
    revision: labels["org.opencontainers.image.revision"],
  };
  for (const key of ["architecture", "version", "revision"] as const) {
    if (found[key] === expected[key]) continue;
    throw new Error(`${file}: ${key}: expected ${expected[key]}, found ${found[key] ?? "none"}`);
  }
}

interface UnpackedImage {
  readonly manifest: WholeArtifact["manifest"];
  readonly blobs: WholeArtifact["blobs"];
}

/** The content of an archive in a folder, for reading by digest. */
function unpack(file: string, folder: string): UnpackedImage {
  mkdirSync(folder, { recursive: true });
  runCommand(["tar", "-xf", file, "-C", folder]);
  const pathOf = (digest: string): string => join(folder, "blobs", digest.replace(":", "/"));
  const { manifests } = JSON.parse(readFileSync(join(folder, "index.json"), "utf8")) as {
    // readArchive has found exactly one.
    readonly manifests: readonly [Descriptor];
  };
  const [{ mediaType, digest, size }] = manifests;
  const bytes = readFileSync(pathOf(digest));
  const { config, layers } = parseImageManifest({ bytes, mediaType }, file);
  const blobs = [config, ...layers].map((blob) => ({
    digest: blob.digest,
    size: blob.size,
    stream: () => createReadStream(pathOf(blob.digest)),
  }));
  return { manifest: { mediaType, digest, size, bytes }, blobs };
}

export interface ImageArtifactOptions {
  /** HOST/PREFIX */
  readonly registry: string;
  readonly version: string;
  /** Empty; gets the content of the archives, which is read when the artifact is pushed. */
  readonly folder: string;
}

/** The image of all its architectures, as an OCI index. The archives are of one image. */
export function imageArtifact(
  name: string,
  archives: readonly ImageArchive[],
  { registry, version, folder }: ImageArtifactOptions,
): ReleaseArtifact {
  const images = archives.map(({ file, architecture }) => ({
    architecture,
    ...unpack(file, join(folder, `${name}-${architecture}`)),
  }));
  const index = {
    schemaVersion: 2,
    mediaType: mediaTypes.ociIndex,
    manifests: images.map(({ architecture, manifest: { mediaType, digest, size } }) => ({
      mediaType,
      digest,
      size,
      platform: { architecture, os: "linux" },
    })),
  };
  const bytes = Buffer.from(JSON.stringify(index));
  return {
    repository: `${registry}/${name}`,
    tag: version,
    manifest: { mediaType: mediaTypes.ociIndex, digest: digestOf(bytes), size: bytes.length, bytes },
    parts: images.map(({ manifest }) => manifest),
    blobs: images.flatMap(({ blobs }) => blobs),
  };
}
