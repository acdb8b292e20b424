import { pipeline, Readable, type Transform } from "node:stream";
import { createGunzip } from "node:zlib";
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

export interface ReadArchiveOptions {
  readonly limits: ArchiveLimits;
  /** Begins messages. */
  readonly where: string;
}

/**
 * The files of a tar, packed with gzip or not, as they come. Folders are passed over. Throws LandscaperError (InvalidArchive) for what is no archive,
 * paths that lead out of it, links, devices, two files of one name, and for more than the limits allow, before that is read.
 */
export async function* readArchive(
  bytes: AsyncIterable<Uint8Array>,
  { limits, where }: ReadArchiveOptions,
): AsyncGenerator<ArchivedFile> {
  const counter = new Counter(limits, where);
  try {
    for await (const entry of await openTar(bytes)) {
      const { name, type, size } = entry.header;
      counter.takeEntry();
      if (type === "directory" || isOldFolder(entry.header)) entry.resume();
      else if (type === "file" || type === "contiguous-file" || type === null) {
        const path = checkPath(name, where);
        counter.takeFile(path, size);
        yield { path, size, content: withErrors(entry, where) };
        entry.resume();
      } else
        throw componentError("InvalidArchive", `${where}: ${quote(name)} is a ${type}; expected files and folders`);
    }
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

/** The path without "." in it. Throws for one that leads out of the archive. */
function checkPath(name: string, where: string): string {
  const parts = name.split("/").filter((part) => part !== "." && part !== "");
  const isOutside = name.startsWith("/") || parts.includes("..") || name.includes("\0") || name.includes("\\");
  if (isOutside || parts.length === 0) {
    throw componentError("InvalidArchive", `${where}: expected a path below the archive, found ${quote(name)}`);
  }
  return parts.join("/");
}

class Counter {
  readonly #limits: ArchiveLimits;
  readonly #where: string;
  readonly #paths = new Set<string>();
  #entries = 0;
  #bytes = 0;

  constructor(limits: ArchiveLimits, where: string) {
    this.#limits = limits;
    this.#where = where;
  }

  takeEntry(): void {
    this.#entries += 1;
    if (this.#entries > this.#limits.entries) throw this.#tooMuch(`more than ${this.#limits.entries} entries`);
  }

  takeFile(path: string, size: number): void {
    if (this.#paths.has(path)) throw this.#tooMuch(`${quote(path)} is there twice`);
    this.#paths.add(path);
    if (size > this.#limits.fileBytes) {
      throw this.#tooMuch(`${quote(path)} has ${size} bytes, more than the allowed ${this.#limits.fileBytes}`);
    }
    this.#bytes += size;
    if (this.#bytes > this.#limits.totalBytes) {
      throw this.#tooMuch(`its files have more than the allowed ${this.#limits.totalBytes} bytes`);
    }
  }

  #tooMuch(problem: string): Error {
    return componentError("InvalidArchive", `${this.#where}: ${problem}`);
  }
}

/** What tar-stream and zlib say; other errors, such as those of a registry, are passed on. */
function toArchiveError(error: unknown, where: string): unknown {
  if (!(error instanceof Error) || error.name === "LandscaperError") return error;
  const code: unknown = Reflect.get(error, "code");
  const isOfFormat = /^Z_|^ERR_.*ZLIB/.test(String(code)) || /header|end of data|tar/i.test(error.message);
  if (!isOfFormat) return error;
  return componentError("InvalidArchive", `${where}: not a tar archive, or damaged: ${error.message}`);
}

function quote(name: string): string {
  return JSON.stringify(name.length > 200 ? `${name.slice(0, 200)}...` : name);
}
