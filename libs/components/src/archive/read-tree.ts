import { treeLimits, type ArchiveLimits } from "./archive-limits.ts";
import { readArchive } from "./read-archive.ts";

/** The files of an archive by path, in memory: a blueprint. Throws as `readArchive` does. */
export async function readTree(
  bytes: AsyncIterable<Uint8Array>,
  { where, limits = treeLimits }: { readonly where: string; readonly limits?: ArchiveLimits },
): Promise<ReadonlyMap<string, Buffer>> {
  const files = new Map<string, Buffer>();
  for await (const { path, content } of readArchive(bytes, { where, limits })) {
    const parts: Uint8Array[] = [];
    for await (const part of content) parts.push(part);
    files.set(path, Buffer.concat(parts));
  }
  return files;
}
