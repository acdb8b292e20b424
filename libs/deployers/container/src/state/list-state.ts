import type { FileHandle } from "node:fs/promises";
import { quoteText } from "@landscaper/api";
import type { FileToPack } from "@landscaper/components";
import { fileRefusal } from "../program-files/file-refusal.ts";
import type { OpenFolder } from "../program-files/open-folder.ts";
import { maxStateDepth, maxStatePathBytes, type StateLimits } from "./state-limits.ts";

const readBytes = 64 * 1024;
const tarBlockBytes = 512;
/** What tar-stream can write. */
const maxMtimeSeconds = 2 ** 31 - 1;

/**
 * The files and folders of a state, ready to be packed: folders before what is in them, in the order of their names. The next one comes when the content of the one before has been
 * read. Throws LandscaperError (StateRefused) with the path for whatever is neither a file nor a folder, files with several names, names that cannot be restored, and more than the limits allow.
 */
export async function* listState(folder: OpenFolder, limits: StateLimits): AsyncGenerator<FileToPack> {
  yield* walk(folder, [], new Budget(limits));
}

async function* walk(folder: OpenFolder, above: readonly string[], budget: Budget): AsyncGenerator<FileToPack> {
  if (above.length > maxStateDepth) throw refuse(above.join("/"), `is deeper than ${maxStateDepth} folders`);
  const names = await folder.names(budget.remainingEntries);
  budget.takeEntries(names.length);
  for (const name of names.toSorted()) {
    const path = [...above, name].join("/");
    checkPath(path);
    const entry = await folder.open(name);
    switch (entry.kind) {
      // Removed by a program that was still at work.
      case "absent":
        continue;
      case "other":
        throw refuse(path, `is ${entry.what}; expected files and folders`);
      case "folder":
        try {
          budget.takeBytes(path, 0);
          yield { name: path, size: 0, ...metadataOf(entry.stats) };
          yield* walk(entry.folder, [...above, name], budget);
        } finally {
          await entry.folder.close();
        }
        continue;
      case "file":
        try {
          const { size, nlink } = entry.stats;
          if (nlink > 1) throw refuse(path, `has ${nlink} names (hard links); expected one`);
          budget.takeBytes(path, size);
          const { handle } = entry;
          yield { name: path, size, content: () => readFrom(handle, size), ...metadataOf(entry.stats) };
        } finally {
          await entry.handle.close();
        }
    }
  }
}

function checkPath(path: string): void {
  // What Node puts in place of bytes that are not UTF-8.
  if (path.includes("\uFFFD")) throw refuse(path, "has a name that is not valid UTF-8");
  if (Buffer.byteLength(path) > maxStatePathBytes)
    throw refuse(path, `has a path of more than ${maxStatePathBytes} bytes`);
}

/** The first `size` bytes: a file that grows meanwhile does not damage the archive. */
async function* readFrom(handle: FileHandle, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < size;) {
    const { bytesRead, buffer } = await handle.read({
      buffer: Buffer.allocUnsafe(Math.min(readBytes, size - at)),
      position: at,
    });
    // A file that became shorter: the packer notices.
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
    at += bytesRead;
  }
}

function metadataOf({ mode, mtimeMs }: { readonly mode: number; readonly mtimeMs: number }) {
  const seconds = Math.min(Math.max(Math.floor(mtimeMs / 1000), 0), maxMtimeSeconds);
  return { mode: mode & 0o7777, mtime: new Date(seconds * 1000) };
}

class Budget {
  readonly #limits: StateLimits;
  #entries = 0;
  #bytes = 0;

  constructor(limits: StateLimits) {
    this.#limits = limits;
  }

  get remainingEntries(): number {
    return this.#limits.entries - this.#entries;
  }

  /** Of one folder, before any of them is read. */
  takeEntries(count: number): void {
    this.#entries += count;
    const { entries } = this.#limits;
    if (this.#entries > entries) {
      throw fileRefusal("StateRefused", `state: it has more than the allowed ${entries} files and folders`);
    }
  }

  /** Of the archive, before the content is read. */
  takeBytes(path: string, size: number): void {
    this.#bytes += tarBlockBytes * (1 + Math.ceil(size / tarBlockBytes));
    const { bytes } = this.#limits;
    if (this.#bytes > bytes) {
      throw refuse(path, `makes the state larger than the allowed ${bytes} bytes: it has ${size}`);
    }
  }
}

function refuse(path: string, problem: string): Error {
  return fileRefusal("StateRefused", `state: ${quoteText(path)} ${problem}`);
}
