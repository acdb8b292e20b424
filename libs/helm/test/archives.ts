import { gzipSync } from "node:zlib";
import { type Header, pack } from "tar-stream";

/** What a file holds: a text, bytes, or one text again and again. */
export type FileContent = string | { readonly base64: string } | { readonly fill: string; readonly bytes: number };

/** One entry of an archive, under its whole name. */
export interface ArchiveEntry {
  readonly name: string;
  /** Default: nothing. */
  readonly content?: FileContent;
  /** Default: a file. */
  readonly type?: NonNullable<Header["type"]>;
  /** Where a link leads. */
  readonly target?: string;
}

/** A packed chart that is made on the spot. */
export interface ArchiveFile {
  readonly archive: readonly ArchiveEntry[];
  /** Bytes that are left out at its end. */
  readonly cut?: number;
}

/** The bytes of a file. */
export function bytesOf(content: FileContent): Buffer {
  if (typeof content === "string") return Buffer.from(content);
  return "base64" in content ? Buffer.from(content.base64, "base64") : Buffer.alloc(content.bytes, content.fill);
}

/** Packs entries with tar and gzip, the same bytes each time. */
export async function packArchive({ archive, cut = 0 }: ArchiveFile): Promise<Buffer> {
  const tar = pack();
  for (const { name, content, type = "file", target } of archive) {
    const header = { name, type, mtime: new Date(0), ...(target === undefined ? {} : { linkname: target }) };
    if (type === "file") tar.entry(header, bytesOf(content ?? ""));
    else tar.entry(header);
  }
  tar.finalize();
  const parts: Buffer[] = [];
  for await (const part of tar) parts.push(part as Buffer); // tar-stream's chunks
  const packed = gzipSync(Buffer.concat(parts));
  return packed.subarray(0, packed.length - cut);
}
