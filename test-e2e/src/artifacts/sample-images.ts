import { createWriteStream, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { gzipSync } from "node:zlib";
import { packFiles } from "@landscaper/components";
import { digestOf, mediaTypes } from "@landscaper/oci";

export interface SampleImage {
  readonly name: string;
  readonly architecture: string;
  readonly version: string;
  /** Commit. */
  readonly revision: string;
  /** Of its one layer. */
  readonly content: string;
}

interface Blob {
  readonly descriptor: { readonly mediaType: string; readonly digest: string; readonly size: number };
  readonly bytes: Buffer;
}

function blobOf(mediaType: string, bytes: Buffer): Blob {
  return { descriptor: { mediaType, digest: digestOf(bytes), size: bytes.length }, bytes };
}

const json = (value: object): Buffer => Buffer.from(JSON.stringify(value));
const entry = (name: string, bytes: Buffer) => ({
  name,
  size: bytes.length,
  content: async function* () {
    yield bytes;
  },
});

/** Writes what `npm run images` writes of an image into a folder, but with one layer of a few bytes. */
export async function writeSampleImage(folder: string, image: SampleImage): Promise<void> {
  const { name, architecture, version, revision } = image;
  const parts: Uint8Array[] = [];
  for await (const part of packFiles([entry("app/content", Buffer.from(image.content))])) parts.push(part);
  const tar = Buffer.concat(parts);
  const layer = blobOf("application/vnd.oci.image.layer.v1.tar+gzip", gzipSync(tar));
  const labels = {
    "org.opencontainers.image.title": name,
    "org.opencontainers.image.version": version,
    "org.opencontainers.image.revision": revision,
  };
  const config = blobOf(
    "application/vnd.oci.image.config.v1+json",
    json({
      architecture,
      os: "linux",
      config: { Labels: labels },
      rootfs: { type: "layers", diff_ids: [digestOf(tar)] },
    }),
  );
  const manifest = blobOf(
    mediaTypes.ociManifest,
    json({
      schemaVersion: 2,
      mediaType: mediaTypes.ociManifest,
      config: config.descriptor,
      layers: [layer.descriptor],
    }),
  );
  const index = { schemaVersion: 2, mediaType: mediaTypes.ociIndex, manifests: [manifest.descriptor] };
  const files = [
    entry("index.json", json(index)),
    entry("oci-layout", json({ imageLayoutVersion: "1.0.0" })),
    ...[config, layer, manifest].map(({ descriptor, bytes }) =>
      entry(`blobs/${descriptor.digest.replace(":", "/")}`, bytes),
    ),
  ];
  mkdirSync(folder, { recursive: true });
  await pipeline(Readable.from(packFiles(files)), createWriteStream(join(folder, `${name}-${architecture}.tar`)));
  writeFileSync(join(folder, `${name}-${architecture}.cdx.json`), JSON.stringify({ bomFormat: "CycloneDX" }));
}
