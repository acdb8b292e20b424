import { stat } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { quoteText } from "@landscaper/api";
import { parseReference, type Manifest } from "@landscaper/oci";
import { transportLimits } from "../archive/archive-limits.ts";
import { componentError } from "../component-error.ts";
import { BlobFolder } from "../repository/blob-folder.ts";
import { unpackFile } from "../repository/unpacked-files.ts";
import { sizeInFolder, sourceInFolder, type ArtifactSource } from "../transfer/artifact-source.ts";
import { tagOf } from "./artifact-name.ts";
import { entriesOf } from "./index-manifest.ts";
import type { OpenInputOptions } from "./input-tools.ts";

/** One image of an OCI layout. */
export interface Layout {
  readonly main: Manifest;
  readonly source: ArtifactSource;
  readonly tag: string;
  /** Name of the repository, unless the input gives one. */
  readonly fallback: string;
  has(digest: string): Promise<boolean>;
  close(): Promise<void>;
}

export interface OpenLayoutOptions extends OpenInputOptions {
  /** Of the input, for messages. */
  readonly field: string;
}

/**
 * Opens the image that `name` is in `images`, or `PATH[:TAG]` of an OCI layout: a folder, or a tar of one, as `docker save` writes it. Throws
 * LandscaperError that says how to make one.
 */
export async function openLayout(name: string, options: OpenLayoutOptions): Promise<Layout> {
  const { where, field, component } = options;
  const found = await findLayout(name, options);
  const place = `${where}: ${field}: ${found.path}`;
  const { folder, close } = await openFolder(found, place);
  try {
    const source = sourceInFolder(folder, place);
    const main = await readMain(folder, { source, place, tag: found.tag });
    return {
      main,
      source,
      tag: found.imageTag ?? found.tag ?? tagOf(component.version),
      fallback: found.repository,
      has: async (digest) => (await sizeInFolder(folder, digest, place)) !== undefined,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

interface FoundLayout {
  readonly path: string;
  readonly isFolder: boolean;
  /** Of the image in its layout. */
  readonly tag: string | undefined;
  /** Of the name in a Docker daemon. */
  readonly imageTag: string | undefined;
  readonly repository: string;
}

async function findLayout(name: string, { folder, where, field, tools }: OpenLayoutOptions): Promise<FoundLayout> {
  const mapped = tools.images.get(name);
  const image = mapped === undefined ? undefined : parseReference(name);
  const given = mapped ?? name;
  const [, withoutTag, tag] = /^(.+):([\w.-]+)$/.exec(given) ?? [];
  const places = [{ path: given, tag: undefined }, ...(withoutTag === undefined ? [] : [{ path: withoutTag, tag }])];
  for (const place of places) {
    // The option is relative to the working folder, the constructor to its own.
    const path = mapped === undefined ? resolve(folder, place.path) : resolve(place.path);
    const found = await stat(path).catch(() => undefined);
    if (found === undefined || !(found.isFile() || found.isDirectory())) continue;
    const repository = image?.repository ?? repositoryNamed(path);
    const imageTag = image?.tag === "latest" ? undefined : image?.tag;
    return { path, isFolder: found.isDirectory(), tag: place.tag, imageTag, repository };
  }
  const what = mapped === undefined ? `${quoteText(name)} is neither` : `the file ${quoteText(mapped)} is neither`;
  throw componentError(
    "InvalidComponent",
    `${where}: ${field}: expected an OCI layout, as a folder or a tar; ${what}. No Docker daemon is asked: write the image into a file ` +
      "(docker save -o image.tar NAME), and give it as --image NAME=image.tar, or its path in the constructor",
  );
}

/** The name of the file, as far as it can be that of a repository. */
function repositoryNamed(path: string): string {
  const plain = basename(path)
    .replace(/\.(?:tar|tgz|tar\.gz|oci)$/i, "")
    .toLowerCase();
  return plain.replaceAll(/[^a-z0-9]+/g, "-").replaceAll(/^-|-$/g, "") || "image";
}

async function openFolder(
  { path, isFolder }: FoundLayout,
  place: string,
): Promise<{ readonly folder: BlobFolder; readonly close: () => Promise<void> }> {
  if (isFolder) return { folder: new BlobFolder(path), close: async () => {} };
  const unpacked = await unpackFile(path, { text: place, limits: transportLimits });
  return { folder: new BlobFolder(unpacked.folder, path), close: async () => unpacked.remove() };
}

interface MainOptions {
  readonly source: ArtifactSource;
  readonly place: string;
  readonly tag: string | undefined;
}

async function readMain(folder: BlobFolder, { source, place, tag }: MainOptions): Promise<Manifest> {
  const bytes = await folder.read("index.json");
  if (bytes === undefined) {
    throw componentError(
      "InvalidComponent",
      `${place}: expected an OCI layout with index.json. Write the image with docker 25 or newer, or convert it: ` +
        "skopeo copy docker-archive:OLD.tar oci-archive:image.tar",
    );
  }
  const entries = entriesOf({ bytes }, `${place}: index.json`);
  const isNamed = (names: readonly string[]): boolean =>
    tag === undefined || names.some((name) => name === tag || name.endsWith(`:${tag}`));
  const fitting = entries.filter(({ names }) => isNamed(names));
  const [entry, second] = fitting;
  if (entry === undefined || second !== undefined) {
    const names = entries.flatMap((one) => one.names.slice(0, 1)).join(", ");
    const asked = tag === undefined ? "one image" : `one image ${quoteText(tag)}`;
    throw componentError(
      "InvalidComponent",
      `${place}: expected ${asked}, found ${fitting.length}; name one of them with PATH:TAG: ${names === "" ? "they have no names" : names}`,
    );
  }
  const main = await source.findManifest(entry.digest);
  if (main !== undefined) return { ...main, mediaType: entry.mediaType };
  throw componentError("InvalidComponent", `${place}: expected content with the digest ${entry.digest}, found none`);
}
