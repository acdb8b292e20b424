import { pipeline, Readable, type Transform } from "node:stream";
import { createGunzip } from "node:zlib";
import { quoteText } from "@landscaper/api";
import { extract, type Header } from "tar-stream";
import { componentError } from "../component-error.ts";
import type { ArchiveLimits } from "./archive-limits.ts";

/** A file of an archive. The next one comes when its content has been read, or is not wanted. */
export interface ArchivedFile {
  /** Relative, with slashes, without "." and "..". */
  readonly path: string;
  readonly size: number;
  readonly content: AsyncIterable<Uint8Array>;
}

/** A file or a folder of an archive; a folder has no content. */
export interface ArchivedEntry extends Omit<ArchivedFile, "content"> {
  readonly content: ArchivedFile["content"] | undefined;
  /** Permission bits. */
  readonly mode: number;
  /** In whole seconds. */
  readonly mtime: Date;
}

export interface ReadArchiveOptions {
  readonly limits: ArchiveLimits;
  /** Begins messages. */
  readonly where: string;
  /** Whether names may have backslashes, which are separators elsewhere. Default: false. */
  readonly allowBackslashes?: boolean | undefined;
}

/**
 * The files of a tar, packed with gzip or not, as they come. Folders are passed over. Throws LandscaperError (InvalidArchive) for what is no archive,
 * paths that lead out of it, links, devices, two files or a file and a folder of one name, and for content above the limits, before it is read. A file with
 * a path below another file is refused after the last entry.
 */
export async function* readArchive(
  bytes: AsyncIterable<Uint8Array>,
  options: ReadArchiveOptions,
): AsyncGenerator<ArchivedFile> {
  for await (const { path, size, content } of read(bytes, { ...options, passesFoldersOver: true })) {
    if (content !== undefined) yield { path, size, content };
  }
}

/** Like `readArchive`, with the folders of the archive, whose paths are checked, too; its root has the path "". */
export async function* readEntries(
  bytes: AsyncIterable<Uint8Array>,
  options: ReadArchiveOptions,
): AsyncGenerator<ArchivedEntry> {
  yield* read(bytes, { ...options, passesFoldersOver: false });
}

async function* read(
  bytes: AsyncIterable<Uint8Array>,
  options: ReadArchiveOptions & { readonly passesFoldersOver: boolean },
): AsyncGenerator<ArchivedEntry> {
  const { limits, where, passesFoldersOver } = options;
  const counter = new Counter(limits, where);
  try {
    for await (const entry of await openTar(bytes)) {
      const { name, type, size, mode, mtime } = entry.header;
      counter.takeEntry();
      if (type === "directory" || isOldFolder(entry.header)) {
        entry.resume();
        counter.takeFolder(partsOf(name).join("/"));
        if (!passesFoldersOver) yield { path: folderPath(name, options), size: 0, content: undefined, mode, mtime };
      } else if (type === "file" || type === "contiguous-file" || type === null) {
        const path = checkPath(name, options);
        counter.takeFile(path, size);
        yield { path, size, content: withErrors(entry, where), mode, mtime };
        entry.resume();
      } else
        throw componentError(
          "InvalidArchive",
          `${where}: ${quoteText(name)}: expected a file or a folder, found a ${type}`,
        );
    }
    counter.checkFolders();
  } catch (error) {
    throw toArchiveError(error, where);
  }
}

/** tar-stream's entries are streams of Buffers. */
async function* withErrors(content: AsyncIterable<unknown>, where: string): AsyncGenerator<Uint8Array> {
  try {
    for await (const part of content) yield part as Buffer;
  } catch (error) {
    throw toArchiveError(error, where);
  }
}

/** Compression is told by the first bytes, not by a media type (docs/reference/components.md#blueprints). */
async function openTar(bytes: AsyncIterable<Uint8Array>) {
  const iterator = bytes[Symbol.asyncIterator]();
  const head: Uint8Array[] = [];
  let length = 0;
  while (length < 2) {
    const { value, done } = await iterator.next();
    if (done === true) break;
    head.push(value);
    length += value.length;
  }
  const [first, second] = Buffer.concat(head);
  const source = Readable.from(
    (async function* () {
      yield* head;
      for (;;) {
        const { value, done } = await iterator.next();
        if (done === true) return;
        yield value;
      }
    })(),
    { objectMode: false },
  );
  const tar = extract();
  const steps: Transform[] = first === 0x1f && second === 0x8b ? [createGunzip()] : [];
  // Its errors come out of the entries, too.
  pipeline([source, ...steps, tar], () => undefined);
  return tar;
}

/** Old programs wrote folders as files whose names end with a slash. */
function isOldFolder({ name, type, size }: Header): boolean {
  return (type === null || type === "file") && name.endsWith("/") && size === 0;
}

/** Archives of folders have one of the folder itself: "./". */
function folderPath(name: string, options: ReadArchiveOptions): string {
  return /^(?:\.\/*)?$/.test(name) ? "" : checkPath(name, options);
}

/** The path without "." in it. Throws for one that leads out of the archive. */
function checkPath(name: string, { where, allowBackslashes = false }: ReadArchiveOptions): string {
  const parts = partsOf(name);
  const isForeign = name.includes("\0") || (!allowBackslashes && name.includes("\\"));
  const isOutside = name.startsWith("/") || parts.includes("..") || isForeign;
  if (isOutside || parts.length === 0) {
    throw componentError("InvalidArchive", `${where}: expected a path below the archive, found ${quoteText(name)}`);
  }
  return parts.join("/");
}

function partsOf(name: string): readonly string[] {
  return name.split("/").filter((part) => part !== "." && part !== "");
}

class Counter {
  readonly #limits: ArchiveLimits;
  readonly #where: string;
  readonly #files = new Set<string>();
  readonly #folders = new Set<string>();
  #entries = 0;
  #bytes = 0;

  constructor(limits: ArchiveLimits, where: string) {
    this.#limits = limits;
    this.#where = where;
  }

  takeEntry(): void {
    this.#entries += 1;
    if (this.#entries > this.#limits.entries) throw this.#refused(`more than ${this.#limits.entries} entries`);
  }

  /** An archive may name a folder several times. */
  takeFolder(path: string): void {
    if (this.#files.has(path)) throw this.#refused(`${quoteText(path)}: expected a file as before, found a folder`);
    this.#folders.add(path);
  }

  takeFile(path: string, size: number): void {
    if (this.#files.has(path)) throw this.#refused(`${quoteText(path)}: expected one entry, found two`);
    if (this.#folders.has(path)) throw this.#refused(`${quoteText(path)}: expected a folder as before, found a file`);
    this.#files.add(path);
    if (size > this.#limits.fileBytes) {
      throw this.#refused(`${quoteText(path)} has ${size} bytes, more than the allowed ${this.#limits.fileBytes}`);
    }
    this.#bytes += size;
    if (this.#bytes > this.#limits.totalBytes) {
      throw this.#refused(`its files have more than the allowed ${this.#limits.totalBytes} bytes`);
    }
  }

  /** Refuses a file that is also the folder of another entry. */
  checkFolders(): void {
    // NUL sorts before all other characters: the entries below a path follow it at once. Names with NUL are refused.
    const paths = [...this.#files, ...this.#folders].map((path) => path.replaceAll("/", "\0")).toSorted();
    for (const [index, path] of paths.entries()) {
      const file = path.replaceAll("\0", "/");
      const other = paths[index + 1]?.replaceAll("\0", "/");
      if (other?.startsWith(`${file}/`) !== true || !this.#files.has(file)) continue;
      throw this.#refused(`${quoteText(file)}: expected a folder, because of ${quoteText(other)}, found a file`);
    }
  }

  #refused(problem: string): Error {
    return componentError("InvalidArchive", `${this.#where}: ${problem}`);
  }
}

type Problems = readonly (readonly [RegExp, string])[];

const tooEarly = "it ends too early";
const ofZlib: Problems = [
  [/^Z_BUF_ERROR$/, tooEarly],
  [/^Z_DATA_ERROR$/, "its compressed data is damaged"],
  [/^Z_|^ERR_.*ZLIB/, "it cannot be uncompressed"],
];
/** Its errors have no code. */
const ofTarStream: Problems = [
  [/end of data/i, tooEarly],
  [/header|tar/i, "it has an entry with an invalid header"],
];

/** Explains an error of tar-stream or zlib. Returns other errors, such as those of a registry, unchanged. */
export function toArchiveError(error: unknown, where: string): unknown {
  if (!(error instanceof Error) || error.name === "LandscaperError") return error;
  const code: unknown = Reflect.get(error, "code");
  const [known, text] = typeof code === "string" ? [ofZlib, code] : [ofTarStream, error.message];
  const problem = known.find(([pattern]) => pattern.test(text));
  if (problem === undefined) return error;
  return componentError("InvalidArchive", `${where}: not a tar archive, or damaged: ${problem[1]}`);
}
