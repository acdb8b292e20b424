import { createHash } from "node:crypto";

/** A part of an archive. */
export interface ContentChunk {
  readonly content: Buffer;
  /** In hex. */
  readonly sha256: string;
}

/** Cuts a stream into parts of `maxBytes`, the last one shorter. Nothing becomes no part. */
export async function* cutChunks(stream: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<ContentChunk> {
  let parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of stream) {
    let rest = part;
    while (length + rest.length >= maxBytes) {
      const head = rest.subarray(0, maxBytes - length);
      yield toChunk([...parts, head]);
      rest = rest.subarray(head.length);
      parts = [];
      length = 0;
    }
    if (rest.length > 0) parts.push(rest);
    length += rest.length;
  }
  if (length > 0) yield toChunk(parts);
}

function toChunk(parts: readonly Uint8Array[]): ContentChunk {
  const content = Buffer.concat(parts);
  return { content, sha256: createHash("sha256").update(content).digest("hex") };
}
