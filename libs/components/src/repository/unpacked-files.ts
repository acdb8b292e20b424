import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LandscaperError } from "@landscaper/api";
import type { ArchiveLimits } from "../archive/archive-limits.ts";
import { unpackArchive } from "../archive/unpack-archive.ts";
import { componentError } from "../component-error.ts";
import { openPlain } from "./blob-folder.ts";

/** The files of an archive in a temporary folder. */
export interface UnpackedFile {
  readonly folder: string;
  remove(): Promise<void>;
}

/** Unpacks a tar, with gzip or without; links are not followed. `text` is what messages call it. Throws LandscaperError. */
export async function unpackFile(
  file: string,
  { text, limits }: { readonly text: string; readonly limits: ArchiveLimits },
): Promise<UnpackedFile> {
  const handle = await openPlain(file, text);
  if (handle === undefined) throw componentError("InvalidComponent", `${text}: there is no such file or folder`);
  try {
    const folder = await makeFolder(text);
    const remove = async (): Promise<void> => rm(folder, { recursive: true, force: true });
    try {
      await unpackArchive(handle.createReadStream({ autoClose: false }), { folder, limits, where: text });
      return { folder, remove };
    } catch (error) {
      await remove();
      throw error;
    }
  } finally {
    await handle.close();
  }
}

/** The root may be read-only. */
async function makeFolder(text: string): Promise<string> {
  try {
    return await mkdtemp(join(tmpdir(), "landscaper-component-"));
  } catch (error) {
    throw new LandscaperError({
      message: `${text}: is packed, and there is no temporary folder to unpack it into`,
      reason: "InvalidComponent",
      hint: "ask the operator for a writable temporary folder (TMPDIR), or have the repository unpacked",
      cause: error,
    });
  }
}

export interface UnpackedFilesOptions {
  /** Of each archive. */
  readonly limits: ArchiveLimits;
  /** Archives that are unpacked at a time. */
  readonly maxFiles: number;
  /** An archive that was asked for within this time is in use. */
  readonly inUseMs: number;
  /** Milliseconds of a monotonic clock. Default: `performance.now()`. */
  readonly now?: (() => number) | undefined;
}

interface KnownFile {
  readonly version: string;
  readonly unpacking: Promise<UnpackedFile>;
  usedAt: number;
}

/** Archives that are unpacked once, as long as they stay what they are; the oldest ones make room for others. */
export class UnpackedFiles {
  readonly #options: UnpackedFilesOptions;
  readonly #now: () => number;
  /** By path; the last one is the one used last. */
  readonly #known = new Map<string, KnownFile>();
  /** Of archives that were replaced: who reads them has the time that they are in use. */
  readonly #replaced = new Set<KnownFile>();

  constructor(options: UnpackedFilesOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  /** The folder with the files of an archive. Throws LandscaperError, also when there is no room. */
  async folderOf(file: string, text: string): Promise<string> {
    const { size, mtimeMs, ino } = await stat(file);
    const version = [size, mtimeMs, ino].join();
    const found = this.#known.get(file);
    this.#known.delete(file);
    if (found?.version === version) {
      this.#known.set(file, found);
      found.usedAt = this.#now();
      return (await found.unpacking).folder;
    }
    if (found !== undefined) this.#replaced.add(found);
    const unpacking = this.#makeRoom(text).then(async () => unpackFile(file, { text, limits: this.#options.limits }));
    const known = { version, unpacking, usedAt: this.#now() };
    this.#known.set(file, known);
    try {
      return (await unpacking).folder;
    } catch (error) {
      if (this.#known.get(file) === known) this.#known.delete(file);
      throw error;
    }
  }

  async close(): Promise<void> {
    const all = [...this.#known.values(), ...this.#replaced];
    this.#known.clear();
    this.#replaced.clear();
    await Promise.all(all.map(remove));
  }

  /** For the one that was added last. */
  async #makeRoom(text: string): Promise<void> {
    // Until the caller has added it.
    await Promise.resolve();
    const { maxFiles, inUseMs } = this.#options;
    const isUnused = ({ usedAt }: KnownFile): boolean => this.#now() - usedAt >= inUseMs;
    const gone: KnownFile[] = [...this.#replaced].filter(isUnused);
    for (const each of gone) this.#replaced.delete(each);
    for (const [file, each] of this.#known) {
      if (this.#known.size + this.#replaced.size <= maxFiles) break;
      if (!isUnused(each)) continue;
      this.#known.delete(file);
      gone.push(each);
    }
    await Promise.all(gone.map(remove));
    if (this.#known.size + this.#replaced.size <= maxFiles) return;
    throw new LandscaperError({
      message: `${text}: is packed, and ${maxFiles} packed repositories are in use already`,
      reason: "TooManyPackedRepositories",
      hint: "wait until others are not used any more, or have the repository unpacked",
    });
  }
}

async function remove({ unpacking }: KnownFile): Promise<void> {
  const unpacked = await unpacking.catch(() => undefined);
  await unpacked?.remove();
}
