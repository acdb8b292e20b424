// What `docker save` writes is not an OCI archive before docker 25; buildah and registries expect one.
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Descriptor } from "./oci-archive.ts";
import { runCommand } from "../run-command.ts";

/** Folders and files of an OCI layout (https://github.com/opencontainers/image-spec/blob/v1.0.2/image-layout.md), by path. */
export type OciLayout = ReadonlyMap<string, Buffer>;

export interface SavedImage {
  /** The configuration as docker has it: an OCI configuration with more fields. */
  readonly config: Buffer;
  /** Uncompressed, the lowest first. */
  readonly layers: readonly Buffer[];
}

/** The layout of one image with compressed layers; `reference` is its tag. */
export function ociLayoutOf({ config, layers }: SavedImage, reference: string): OciLayout {
  const files = new Map<string, Buffer>();
  function add(mediaType: string, data: Buffer): Descriptor {
    const hash = createHash("sha256").update(data).digest("hex");
    files.set(`blobs/sha256/${hash}`, data);
    return { mediaType, digest: `sha256:${hash}`, size: data.length };
  }
  const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));
  const manifest = {
    schemaVersion: 2,
    mediaType: "application/vnd.oci.image.manifest.v1+json",
    config: add("application/vnd.oci.image.config.v1+json", config),
    layers: layers.map((layer) => add("application/vnd.oci.image.layer.v1.tar+gzip", gzipSync(layer))),
  };
  const annotations = { "org.opencontainers.image.ref.name": reference };
  const descriptor = { ...add(manifest.mediaType, json(manifest)), annotations };
  files.set("index.json", json({ schemaVersion: 2, manifests: [descriptor] }));
  files.set("oci-layout", json({ imageLayoutVersion: "1.0.0" }));
  return files;
}

/** Reads the one image of an unpacked archive of `docker save`. */
export function readSavedImage(folder: string): SavedImage {
  const read = (path: string): Buffer => readFileSync(join(folder, path));
  const saved = JSON.parse(read("manifest.json").toString()) as readonly {
    readonly Config: string;
    readonly Layers: readonly string[];
  }[];
  const [image] = saved;
  if (image === undefined || saved.length > 1)
    throw new Error(`docker save: expected one image, found ${saved.length}`);
  return { config: read(image.Config), layers: image.Layers.map(read) };
}

/** Writes an image of docker's as an OCI archive. */
export function dockerSave(tag: string, { file, reference }: { file: string; reference: string }): void {
  const folder = mkdtempSync(join(tmpdir(), "landscaper-image-"));
  try {
    const [saved, layout] = [join(folder, "saved"), join(folder, "layout")];
    mkdirSync(saved);
    mkdirSync(join(layout, "blobs/sha256"), { recursive: true });
    runCommand(["docker", "save", "--output", join(folder, "saved.tar"), tag]);
    runCommand(["tar", "-xf", join(folder, "saved.tar"), "-C", saved]);
    for (const [path, data] of ociLayoutOf(readSavedImage(saved), reference)) writeFileSync(join(layout, path), data);
    runCommand(["tar", "-cf", file, "-C", layout, "blobs", "index.json", "oci-layout"]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
