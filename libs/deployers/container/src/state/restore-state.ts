import { chmod, mkdir, mkdtemp, open, rename, rm, utimes } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { LandscaperError } from "@landscaper/api";
import { readEntries, type ArchivedEntry } from "@landscaper/components";
import { codeOf } from "../program-files/open-folder.ts";
import { stateDamage } from "./state-damage.ts";
import type { StateLimits } from "./state-limits.ts";
import { unzipState } from "./unzip-state.ts";

export interface RestoreOptions {
  /** The folder that becomes the state; what is there is replaced. */
  readonly folder: string;
  /** Of what the archive unpacks to. */
  readonly limits: StateLimits;
}

/**
 * Unpacks an archive of a state. The folder is there with all of it, or as it was before. Throws LandscaperError (StateDamaged) for what is not such an archive, and what the stream throws.
 */
export async function restoreState(
  archive: AsyncIterable<Uint8Array>,
  { folder, limits }: RestoreOptions,
): Promise<void> {
  // Beside it, so that it can be renamed.
  const temporary = await mkdtemp(join(dirname(folder), `.${basename(folder)}-`));
  try {
    const unpacked = join(temporary, "new");
    await mkdir(unpacked);
    await unpack(unzip(archive, limits.bytes), unpacked, limits);
    await replaceFolder(folder, unpacked, join(temporary, "old"));
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

/** An empty folder takes no part in this: a rename replaces it. */
async function replaceFolder(folder: string, by: string, trash: string): Promise<void> {
  try {
    await rename(by, folder);
  } catch (error) {
    const code = codeOf(error);
    if (code !== "ENOTEMPTY" && code !== "EEXIST" && code !== "ENOTDIR") throw error;
    await rename(folder, trash);
    await rename(by, folder);
  }
}

/** Fails before it gives more than `maxBytes`. */
async function* unzip(archive: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const content of unzipState(archive)) {
    bytes += content.length;
    if (bytes > maxBytes) throw stateDamage(`it unpacks to more than the allowed ${maxBytes} bytes`);
    yield content;
  }
}

async function unpack(tar: AsyncIterable<Uint8Array>, root: string, { bytes, entries }: StateLimits): Promise<void> {
  const limits = { entries, fileBytes: bytes, totalBytes: bytes };
  const folders: ArchivedEntry[] = [];
  try {
    for await (const entry of readEntries(tar, { limits, where: "archive", allowBackslashes: true })) {
      if (entry.content !== undefined) await writeFile(join(root, entry.path), entry, entry.content);
      else if (entry.path !== "") {
        await mkdir(join(root, entry.path), { recursive: true });
        folders.push(entry);
      }
    }
    // A folder that may not be written to is filled first; what is written into a folder changes its time.
    for (const { path, mode, mtime } of folders.toReversed()) {
      await chmod(join(root, path), mode & 0o7777);
      await utimes(join(root, path), mtime, mtime);
    }
  } catch (error) {
    throw toDamage(error);
  }
}

async function writeFile(
  path: string,
  { mode, mtime }: Pick<ArchivedEntry, "mode" | "mtime">,
  content: AsyncIterable<Uint8Array>,
): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const handle = await open(path, "wx", 0o600);
  try {
    for await (const part of content) await handle.writeFile(part);
    await handle.chmod(mode & 0o7777);
    await handle.utimes(mtime, mtime);
  } finally {
    await handle.close();
  }
}

/** What the archive is to blame for; a full disk is another error. */
function toDamage(error: unknown): unknown {
  if (error instanceof LandscaperError && error.reason === "InvalidArchive") return stateDamage(error.message);
  const code = codeOf(error) ?? "";
  const isOfNames = code === "EEXIST" || code === "ENAMETOOLONG" || code === "ENOTDIR" || code === "EISDIR";
  if (isOfNames) return stateDamage(`its archive cannot be unpacked (${code})`);
  return error;
}
