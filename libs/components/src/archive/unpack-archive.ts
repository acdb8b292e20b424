import { createWriteStream } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { readArchive, type ReadArchiveOptions } from "./read-archive.ts";

/** Writes the files of an archive into an empty folder. Throws as `readArchive` does. */
export async function unpackArchive(
  bytes: AsyncIterable<Uint8Array>,
  { folder, ...options }: ReadArchiveOptions & { readonly folder: string },
): Promise<void> {
  for await (const { path, content } of readArchive(bytes, options)) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await pipeline(content, createWriteStream(file, { flags: "wx", mode: 0o600 }));
  }
}
