import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { quoteText } from "@landscaper/api";
import { pack } from "tar-stream";
import { componentError } from "../component-error.ts";

/** An entry of an archive; a folder has no content. */
export interface FileToPack {
  readonly name: string;
  readonly size: number;
  readonly isExecutable?: boolean | undefined;
  /** Permission bits. Default: 0755 for folders and executable files, else 0644. */
  readonly mode?: number | undefined;
  /** In whole seconds of the years 1970 to 2037. Default: the beginning of 1970. */
  readonly mtime?: Date | undefined;
  readonly content?: (() => AsyncIterable<Uint8Array>) | undefined;
}

/** The files as tar, in their order, as it is read. Owners are fixed, times and rights unless they are given: equal files give equal bytes. */
export async function* packFiles(files: AsyncIterable<FileToPack> | Iterable<FileToPack>): AsyncGenerator<Uint8Array> {
  const tar = pack();
  const writing = writeAll(tar, files).catch((error: unknown) =>
    tar.destroy(error instanceof Error ? error : new Error(String(error))),
  );
  try {
    // tar-stream's chunks.
    for await (const part of tar) yield part as Buffer;
  } finally {
    tar.destroy();
    await writing;
  }
}

async function writeAll(
  tar: ReturnType<typeof pack>,
  files: AsyncIterable<FileToPack> | Iterable<FileToPack>,
): Promise<void> {
  for await (const { name, size, isExecutable, content, mtime = new Date(0), ...file } of files) {
    const mode = file.mode ?? (content === undefined || isExecutable === true ? 0o755 : 0o644);
    if (content === undefined) tar.entry({ name, type: "directory", mode, mtime });
    else await pipeline(Readable.from(checkSize(content(), { name, size })), tar.entry({ name, size, mode, mtime }));
  }
  tar.finalize();
}

/** Passes the content on. Throws LandscaperError if it has another size than the header of the entry says. */
async function* checkSize(
  content: AsyncIterable<Uint8Array>,
  { name, size }: Pick<FileToPack, "name" | "size">,
): AsyncGenerator<Uint8Array> {
  let found = 0;
  for await (const part of content) {
    found += part.length;
    if (found > size) throw changedSize(name, `expected ${size} bytes, found more`);
    yield part;
  }
  if (found < size) throw changedSize(name, `expected ${size} bytes, found ${found}`);
}

function changedSize(name: string, problem: string): Error {
  return componentError(
    "InvalidComponent",
    `${quoteText(name)}: the file changed while it was packed: ${problem}. Do not write to the folder while it is packed; outputs must be in another folder.`,
  );
}

/** The bytes packed with gzip, without a time: equal bytes give equal ones. */
export async function* gzipped(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const zip = createGzip();
  const packing = pipeline(Readable.from(content), zip);
  // What fails comes out of the stream, too.
  packing.catch(() => {});
  for await (const part of zip) yield part as Buffer; // zlib's chunks
  await packing;
}
