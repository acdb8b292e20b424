import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { BundledPackage } from "../bundle/bundled-packages.ts";
import { arm64Base } from "./arm64-base.ts";
import { type BaseContents, writeBase } from "./base-contents.ts";
import { findEngine, type ImageEngine } from "./engines.ts";
import type { ProgramImage } from "./image-list.ts";
import { checkArchitecture, machineArchitecture } from "./machine-architecture.ts";
import { machineBase } from "./machine-base.ts";
import { type ArchivedImage, readArchive, readFromLastLayer } from "./oci-archive.ts";
import { fillStore } from "./package-store.ts";
import { createSbom } from "./sbom.ts";
import type { SourceState } from "./source-state.ts";

export interface ImagesOptions {
  /** Of the repository, which is the build context. */
  readonly root: string;
  /** Of fetched packages: `.cache/images` below `root`, where builds read them. */
  readonly cache: string;
  /** Where buildah keeps images. Default: below `cache`. */
  readonly storage?: string;
  /** Receives archives and software bills of materials (SBOM). */
  readonly outdir: string;
  readonly images: readonly ProgramImage[];
  /** "amd64" or "arm64". */
  readonly architecture: string;
  readonly version: string;
  readonly state: SourceState;
  readonly announce: (line: string) => void;
}

/** An image that has been written. */
export interface BuiltImage extends ArchivedImage {
  readonly name: string;
  /** Path of its software bill of materials. */
  readonly sbom: string;
}

const mebibytes = (bytes: number): string => (bytes / 1024 / 1024).toFixed(1);

function labelsOf({ version, state }: ImagesOptions): Record<string, string> {
  return {
    "org.opencontainers.image.version": version,
    "org.opencontainers.image.created": new Date(state.epoch * 1000).toISOString(),
    ...(state.revision === undefined ? {} : { "org.opencontainers.image.revision": state.revision }),
    ...(state.source === undefined ? {} : { "org.opencontainers.image.source": state.source }),
  };
}

function contentsOf(architecture: string, folder: string): BaseContents {
  if (architecture === machineArchitecture) return machineBase();
  checkArchitecture(architecture);
  return arm64Base(join(folder, "packages"));
}

const baseTag = (architecture: string): string => `landscaper/node:${architecture}`;

/** Builds the base image of an architecture. */
function buildBase(engine: ImageEngine, architecture: string, { root, cache }: ImagesOptions): BaseContents {
  // Others may build at the same time.
  const context = mkdtempSync(join(cache, "base-"));
  try {
    const contents = contentsOf(architecture, context);
    writeBase(contents, join(context, "rootfs"));
    const dockerfile = join(root, "scripts/images/node.Dockerfile");
    // Not the time of the commit: the layer with Node stays the same from one version to the next.
    const fixed = { epoch: 0, buildArgs: {}, labels: {} };
    engine.build({ dockerfile, context, tag: baseTag(architecture), architecture, ...fixed });
    return contents;
  } finally {
    rmSync(context, { recursive: true, force: true });
  }
}

interface WrittenImage {
  readonly name: string;
  readonly archive: ArchivedImage;
  readonly base: BaseContents;
}

/** Writes the software bill of materials of an image, and returns its path. */
function writeSbom({ name, archive, base }: WrittenImage, options: ImagesOptions): string {
  const { outdir, version, architecture, state } = options;
  const bundled = JSON.parse(readFromLastLayer(archive, `app/bundles/${name}/packages.json`)) as BundledPackage[];
  const { epoch } = state;
  const sbom = createSbom({ image: name, version, architecture, epoch, bundled, base: base.packages });
  const file = join(outdir, `${name}-${architecture}.cdx.json`);
  writeFileSync(file, `${JSON.stringify(sbom, undefined, 2)}\n`);
  return file;
}

/** Builds and writes images one after the other. Only the collection of their parts, at the beginning, may use the network. */
export function buildImages(options: ImagesOptions): BuiltImage[] {
  const { root, cache, outdir, images, architecture, announce, state } = options;
  const engine = findEngine({ root, storage: options.storage ?? join(cache, "containers"), announce });
  if (architecture !== machineArchitecture && !engine.buildsForOthers) {
    throw new Error(
      `--arch ${architecture}: expected buildah, which builds for another architecture; found docker alone`,
    );
  }
  announce("collecting packages and base images");
  mkdirSync(cache, { recursive: true });
  fillStore({ root, cache });
  const builder = buildBase(engine, machineArchitecture, options);
  const base = architecture === machineArchitecture ? builder : buildBase(engine, architecture, options);

  mkdirSync(outdir, { recursive: true });
  return images.map(({ name, dockerfile }) => {
    const started = performance.now();
    const tag = `landscaper/${name}:${options.version}-${architecture}`;
    const buildArgs = { BUILDER: baseTag(machineArchitecture), BASE: baseTag(architecture) };
    engine.build({ dockerfile, context: ".", tag, epoch: state.epoch, buildArgs, labels: labelsOf(options) });
    const file = join(outdir, `${name}-${architecture}.tar`);
    // buildah adds to an archive that is there.
    rmSync(file, { force: true });
    engine.save(tag, { file, reference: options.version });
    const archive = readArchive(file);
    const sbom = writeSbom({ name, archive, base }, options);
    const seconds = ((performance.now() - started) / 1000).toFixed(0);
    announce(`${file}: ${mebibytes(archive.compressedBytes)} MiB compressed, built in ${seconds} s`);
    return { ...archive, name, sbom };
  });
}
