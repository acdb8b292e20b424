// OCI layouts with images of one layer, for tests.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { digestOf, mediaTypes, type Manifest } from "@landscaper/oci";

export interface TestImage {
  readonly layer: string;
  readonly architecture: string;
  readonly names?: Readonly<Record<string, string>>;
}

interface Built {
  readonly manifest: Manifest;
  readonly blobs: readonly Buffer[];
}

export function imageOf({ layer, architecture }: TestImage): Built {
  const config = Buffer.from(JSON.stringify({ os: "linux", architecture, rootfs: { type: "layers", diff_ids: [] } }));
  const content = Buffer.from(layer);
  const part = (mediaType: string, bytes: Buffer): object => ({
    mediaType,
    digest: digestOf(bytes),
    size: bytes.length,
  });
  const bytes = Buffer.from(
    JSON.stringify({
      schemaVersion: 2,
      mediaType: mediaTypes.ociManifest,
      config: part("application/vnd.oci.image.config.v1+json", config),
      layers: [part("application/vnd.oci.image.layer.v1.tar", content)],
    }),
  );
  const mediaType = mediaTypes.ociManifest;
  return {
    manifest: { mediaType, digest: digestOf(bytes), size: bytes.length, bytes },
    blobs: [config, content, bytes],
  };
}

/** Writes the images into a folder, and returns their manifests. */
export function writeLayout(folder: string, images: readonly TestImage[]): readonly Manifest[] {
  mkdirSync(join(folder, "blobs/sha256"), { recursive: true });
  const built = images.map((image) => ({ ...imageOf(image), names: image.names }));
  for (const blob of built.flatMap(({ blobs }) => blobs)) {
    writeFileSync(join(folder, "blobs", digestOf(blob).replace(":", "/")), blob);
  }
  const manifests = built.map(({ manifest: { mediaType, digest, size }, names }) => ({
    mediaType,
    digest,
    size,
    annotations: names,
  }));
  writeFileSync(join(folder, "index.json"), JSON.stringify({ schemaVersion: 2, manifests }));
  writeFileSync(join(folder, "oci-layout"), '{"imageLayoutVersion":"1.0.0"}');
  return built.map(({ manifest }) => manifest);
}
