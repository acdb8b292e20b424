import { constants } from "node:fs";
import { open, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { isDigest, readBounded, verifyContent, type Descriptor } from "@landscaper/oci";
import { componentError } from "../component-error.ts";
import { systemErrorCode } from "../system-error.ts";

/** Of files that are read whole: indexes, manifests, descriptors. */
const maxTextBytes = 16 * 1024 * 1024;

/** Plain files of a folder; links are not followed out of it, because they are not followed. */
export class BlobFolder {
  readonly path: string;
  /** What messages call it. */
  readonly text: string;

  constructor(path: string, text = path) {
    this.path = path;
    this.text = text;
  }

  /** A file that is read whole; undefined when it is not there. Throws LandscaperError for one that is too large, or no file. */
  async read(...names: readonly string[]): Promise<Buffer | undefined> {
    const place = this.#placeOf(names);
    const handle = await openPlain(join(this.path, ...names), place);
    if (handle === undefined) return undefined;
    try {
      const { size } = await handle.stat();
      if (size > maxTextBytes)
        throw componentError("InvalidComponent", `${place}: more than the allowed ${maxTextBytes} bytes`);
      return Buffer.from(
        await readBounded(handle.createReadStream({ autoClose: false }), { limit: maxTextBytes, place }),
      );
    } finally {
      await handle.close();
    }
  }

  /** The bytes of a file, which throw at their end unless they are those of the digest. */
  async *stream(blob: Pick<Descriptor, "digest" | "size">, ...names: readonly string[]): AsyncGenerator<Uint8Array> {
    const place = this.#placeOf(names);
    const handle = await openPlain(join(this.path, ...names), place);
    if (handle === undefined)
      throw componentError("InvalidComponent", `${place}: expected content with the digest ${blob.digest}, found none`);
    try {
      yield* verifyContent(handle.createReadStream({ autoClose: false }), { ...blob, place });
    } finally {
      await handle.close();
    }
  }

  /** Size of a file in bytes; undefined when it is not there. */
  async sizeOf(...names: readonly string[]): Promise<number | undefined> {
    const handle = await openPlain(join(this.path, ...names), this.#placeOf(names));
    if (handle === undefined) return undefined;
    try {
      return (await handle.stat()).size;
    } finally {
      await handle.close();
    }
  }

  #placeOf(names: readonly string[]): string {
    return join(this.text, ...names);
  }
}

/** Undefined when nothing is there; `place` is what messages call the file. Throws LandscaperError for a link, and for what is no file. */
export async function openPlain(file: string, place: string): Promise<FileHandle | undefined> {
  let handle: FileHandle;
  try {
    handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    if (code === "ELOOP") throw componentError("InvalidComponent", `${place}: expected a file, found a link`);
    throw error;
  }
  if ((await handle.stat()).isFile()) return handle;
  await handle.close();
  throw componentError("InvalidComponent", `${place}: expected a file`);
}

/** "sha256.<hex>", as the folder `blobs` of transport archives has it. Throws LandscaperError for what is no digest. */
export function fileOfDigest(digest: string, where: string): string {
  if (!isDigest(digest))
    throw componentError("InvalidComponent", `${where}: expected a digest, found ${JSON.stringify(digest)}`);
  return digest.replace(":", ".");
}
