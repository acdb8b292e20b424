import { createHash } from "node:crypto";
import { readdir, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { digestMismatch, digestOf } from "@landscaper/oci";
import { componentError } from "../component-error.ts";
import { systemErrorCode } from "../system-error.ts";
import { BlobFolder, fileOfDigest } from "../repository/blob-folder.ts";
import { blobs, indexFile, parseIndex, type IndexEntry } from "../repository/transport-store.ts";
import type { ArtifactSink, StoredBlob } from "./artifact-sink.ts";
import { createFolder } from "./create-folder.ts";
import { writeWholeFile, type WholeFile } from "./write-whole-file.ts";

/**
 * Stores artifacts in the folder of a common transport format, which is made where it does not exist. Blobs are written whole before they get their
 * names, and the index is replaced at once: a reader finds either the old artifacts or the new ones. One process may write at a time. Throws
 * LandscaperError for a file, and for a folder that has something else in it.
 */
export async function createTransportSink(path: string): Promise<ArtifactSink> {
  const isNew = await checkFolder(path);
  return new TransportSink(path, isNew);
}

/** Whether the folder does not exist. */
async function checkFolder(path: string): Promise<boolean> {
  // An empty path would not exist here, and be the working directory for the files below it.
  if (path === "") {
    throw componentError(
      "InvalidComponent",
      "expected the path of a folder to write to, found an empty text. Name the folder.",
    );
  }
  const names = await readdir(path).catch((error: unknown) => {
    const code = systemErrorCode(error);
    if (code === "ENOENT") return undefined;
    if (code === "ENOTDIR") {
      throw componentError("InvalidComponent", `${path}: expected a folder to write to, found a file`);
    }
    throw error;
  });
  if (names === undefined || names.length === 0 || names.includes(indexFile)) return names === undefined;
  throw componentError("InvalidComponent", `${path}: expected ${indexFile} in the folder, or an empty folder`);
}

class TransportSink implements ArtifactSink {
  readonly text: string;
  readonly #folder: BlobFolder;
  readonly #isNew: boolean;
  #entries: IndexEntry[] = [];
  /** Files since the last commit. */
  #created: string[] = [];

  constructor(path: string, isNew: boolean) {
    this.text = path;
    this.#folder = new BlobFolder(path);
    this.#isNew = isNew;
  }

  async pushBlob(
    _repository: string,
    content: AsyncIterable<Uint8Array>,
    { signal, digest: expected }: Parameters<ArtifactSink["pushBlob"]>[2],
  ): Promise<StoredBlob> {
    const known = expected === undefined ? undefined : await this.#sizeOf(expected);
    if (known !== undefined && expected !== undefined) return { digest: expected, size: known };
    const algorithm = expected?.slice(0, expected.indexOf(":")) ?? "sha256";
    const hash = createHash(algorithm);
    let stored: StoredBlob = { digest: "", size: 0 };
    const passing = async function* (): AsyncGenerator<Uint8Array> {
      let size = 0;
      for await (const part of content) {
        signal.throwIfAborted();
        hash.update(part);
        size += part.length;
        yield part;
      }
      stored = { digest: `${algorithm}:${hash.digest("hex")}`, size };
    };
    await this.#writeBlob(passing(), () => {
      if (expected === undefined || expected === stored.digest) return stored.digest;
      throw digestMismatch(this.text, `expected digest ${expected}, found ${stored.digest}`);
    });
    return stored;
  }

  async pushManifest(
    repository: string,
    { bytes, mediaType }: Parameters<ArtifactSink["pushManifest"]>[1],
    { tag }: Parameters<ArtifactSink["pushManifest"]>[2],
  ): ReturnType<ArtifactSink["pushManifest"]> {
    const digest = digestOf(bytes);
    await this.#writeBlob([bytes], () => digest);
    this.#entries.push({ repository, digest, mediaType, ...(tag === undefined ? {} : { tag }) });
    return { mediaType, digest, size: bytes.length };
  }

  async commit(): Promise<void> {
    if (this.#entries.length === 0) return;
    const before = await this.#folder.read(indexFile);
    const known = before === undefined ? [] : parseIndex(before, join(this.text, indexFile));
    const artifacts = this.#entries.reduce<readonly IndexEntry[]>(addEntry, known);
    const text = JSON.stringify({ schemaVersion: 1, artifacts: artifacts.map(formatEntry) });
    await writeWholeFile({ folder: this.text, content: [Buffer.from(text)], nameOf: () => indexFile });
    this.#entries = [];
    this.#created = [];
  }

  async discard(): Promise<void> {
    this.#entries = [];
    for (const file of this.#created.splice(0)) await rm(file, { force: true });
    if (!this.#isNew || (await this.#folder.read(indexFile)) !== undefined) return;
    // Made here; a folder that is not empty stays.
    await rmdir(join(this.text, blobs)).catch(() => {});
    await rmdir(this.text).catch(() => {});
  }

  async #sizeOf(digest: string): Promise<number | undefined> {
    return await this.#folder.sizeOf(blobs, fileOfDigest(digest, this.text));
  }

  /** The digest is asked for when the content is written. */
  async #writeBlob(content: WholeFile["content"], digestOfContent: () => string): Promise<void> {
    const folder = join(this.text, blobs);
    createFolder(folder);
    const nameOf = async (): Promise<string | undefined> => {
      const digest = digestOfContent();
      if ((await this.#sizeOf(digest)) !== undefined) return undefined;
      const name = fileOfDigest(digest, this.text);
      this.#created.push(join(folder, name));
      return name;
    };
    await writeWholeFile({ folder, content, nameOf });
  }
}

/** The index with one more artifact; the one that had its tag stays without it, and each is there once. */
export function addEntry(known: readonly IndexEntry[], entry: IndexEntry): readonly IndexEntry[] {
  const isSame = ({ repository, digest }: IndexEntry): boolean =>
    repository === entry.repository && digest === entry.digest;
  if (entry.tag === undefined) return known.some(isSame) ? known : [...known, entry];
  const untagged = known.map(({ tag, ...other }): IndexEntry =>
    tag === undefined || (other.repository === entry.repository && tag === entry.tag) ? other : { ...other, tag },
  );
  return [...untagged.filter((other) => other.tag !== undefined || !isSame(other)), entry];
}

/** In the order of fields that the reference implementation writes. */
function formatEntry({ repository, tag, digest, mediaType }: IndexEntry): object {
  return { repository, ...(tag === undefined ? {} : { tag }), digest, mediaType };
}
