import { crc32, createInflateRaw, type InflateRaw } from "node:zlib";
import { stateDamage } from "./state-damage.ts";

const headerBytes = 10;
const trailerBytes = 8;
const damage = (problem: string) => stateDamage(`archive: not a tar archive, or damaged: ${problem}`);

/**
 * Unpacks the gzip archive of a state. The parts of a state of the original do not end where the archive ends. v0.153 removes NUL bytes from the end of a part, so the archive can lack
 * the end of its trailer. v1.4.0 can leave NUL bytes after the archive, and both versions bytes of the previous part. Therefore, missing bytes of the trailer count as NUL, and bytes
 * after the archive are ignored. Reads the stream to its end. Throws LandscaperError (StateDamaged), errors of zlib, and errors of the stream.
 */
export async function* unzipState(archive: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const source = new Source(archive[Symbol.asyncIterator]());
  await source.skipHeader();
  const inflate = createInflateRaw();
  const feeding = feed(inflate, source);
  feeding.catch(() => undefined); // awaited below
  let sum = 0;
  let length = 0;
  try {
    for await (const part of inflate) {
      const content = part as Buffer; // zlib's chunks
      sum = crc32(content, sum);
      length += content.length;
      yield content;
    }
  } catch (error) {
    await feeding;
    throw error;
  }
  await feeding;
  const trailer = await source.readFrom(inflate.bytesWritten, trailerBytes);
  if (trailer.readUInt32LE(0) !== sum || trailer.readUInt32LE(4) !== length % 2 ** 32) {
    throw damage("its compressed data is damaged");
  }
  await source.drain();
}

/** Feeds zlib until the archive ends. zlib does not consume bytes after the archive. Throws errors of the source. */
async function feed(inflate: InflateRaw, source: Source): Promise<void> {
  const ended = new Promise<"ended">((resolve) => {
    inflate.once("end", () => resolve("ended"));
    inflate.once("close", () => resolve("ended"));
  });
  try {
    for (;;) {
      const part = await source.next(inflate.bytesWritten);
      if (inflate.destroyed) return;
      if (part === undefined) {
        inflate.end();
        await ended;
        return;
      }
      const taken = new Promise<"taken">((resolve) => inflate.write(part, () => resolve("taken")));
      if ((await Promise.race([ended, taken])) === "ended") return;
    }
  } catch (error) {
    inflate.destroy();
    throw error;
  }
}

/** Compressed bytes after the header. Keeps the parts that zlib has not consumed. */
class Source {
  readonly #parts: AsyncIterator<Uint8Array>;
  #rest: Uint8Array | undefined;
  #kept: Uint8Array[] = [];
  /** Number of bytes of the parts that are no longer kept. */
  #dropped = 0;

  constructor(parts: AsyncIterator<Uint8Array>) {
    this.#parts = parts;
  }

  async skipHeader(): Promise<void> {
    const head = await this.#collect(headerBytes);
    // gzip with deflate, without optional fields: neither the original nor the deployer writes them.
    const isGzip = head[0] === 0x1f && head[1] === 0x8b && head[2] === 8 && head[3] === 0;
    if (!isGzip) throw damage(head.length === 0 ? "it ends too early" : "its compressed data is damaged");
    if (head.length < headerBytes) throw damage("it ends too early");
    this.#rest = head.subarray(headerBytes);
  }

  /** Returns the next part; undefined at the end. Drops the kept parts within the first `consumed` bytes. */
  async next(consumed: number): Promise<Uint8Array | undefined> {
    const part = this.#rest ?? (await this.#read());
    this.#rest = undefined;
    if (part === undefined) return undefined;
    for (
      let [first] = this.#kept;
      first !== undefined && this.#dropped + first.length <= consumed;
      [first] = this.#kept
    ) {
      this.#dropped += first.length;
      this.#kept.shift();
    }
    this.#kept.push(part);
    return part;
  }

  /** Returns `length` bytes from the position `consumed`. Missing bytes are NUL. */
  async readFrom(consumed: number, length: number): Promise<Buffer> {
    const kept = Buffer.concat(this.#kept).subarray(consumed - this.#dropped);
    const more = await this.#collect(length - kept.length);
    return Buffer.concat([kept, more, Buffer.alloc(length)]).subarray(0, length);
  }

  /** Reads to the end, because the stream verifies its content there. */
  async drain(): Promise<void> {
    while ((await this.#read()) !== undefined);
  }

  /** Reads at least `length` bytes, or fewer if the stream ends. */
  async #collect(length: number): Promise<Buffer> {
    const parts: Uint8Array[] = [];
    for (let found = 0; found < length;) {
      const part = await this.#read();
      if (part === undefined) break;
      parts.push(part);
      found += part.length;
    }
    return Buffer.concat(parts);
  }

  async #read(): Promise<Uint8Array | undefined> {
    const { value, done } = await this.#parts.next();
    return done === true ? undefined : value;
  }
}
