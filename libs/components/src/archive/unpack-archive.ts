import { createWriteStream } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { quoteText } from "@landscaper/api";
import { componentError } from "../component-error.ts";
import { systemErrorCode } from "../system-error.ts";
import { readArchive, type ReadArchiveOptions } from "./read-archive.ts";

/** Writes the files of an archive into an empty folder. Throws as `readArchive` does, and LandscaperError (InvalidArchive) for paths that cannot exist together. */
export async function unpackArchive(
  bytes: AsyncIterable<Uint8Array>,
  { folder, ...options }: ReadArchiveOptions & { readonly folder: string },
): Promise<void> {
  const written = new Set<string>();
  for await (const { path, content } of readArchive(bytes, options)) {
    const file = join(folder, path);
    try {
      await mkdir(dirname(file), { recursive: true, mode: 0o700 });
      await pipeline(content, createWriteStream(file, { flags: "wx", mode: 0o600 }));
    } catch (error) {
      const problem = describeCollision(error, path, written);
      throw problem === undefined ? error : componentError("InvalidArchive", `${options.where}: ${problem}`);
    }
    written.add(path);
  }
}

/** Describes why the file system refused the path; returns undefined for other errors, such as a full disk. */
function describeCollision(error: unknown, path: string, written: ReadonlySet<string>): string | undefined {
  const code = systemErrorCode(error);
  if (code === "ENAMETOOLONG")
    return `${quoteText(path)}: expected a path that a file can have, found one that is too long`;
  if (code !== "EEXIST" && code !== "ENOTDIR" && code !== "EISDIR") return undefined;
  const parts = path.split("/");
  const above = parts.map((_part, index) => parts.slice(0, index).join("/")).find((folder) => written.has(folder));
  if (above !== undefined) return `${quoteText(path)}: expected a folder at ${quoteText(above)}, found a file`;
  for (const other of written)
    if (other.startsWith(`${path}/`))
      return `${quoteText(path)}: expected a folder, because of ${quoteText(other)}, found a file`;
  return `${quoteText(path)}: expected one entry, found another whose name this file system does not tell apart`;
}
