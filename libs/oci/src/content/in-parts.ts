export interface Part {
  readonly bytes: Uint8Array;
  /** Whether there is no other one. */
  readonly isOnly: boolean;
}

/** The bytes of a stream in parts of at most `size` bytes, and never less but for the last one; at least one part, which may be empty. */
export async function* inParts(content: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Part> {
  let parts: Uint8Array[] = [];
  let length = 0;
  let isFirst = true;
  for await (const bytes of content) {
    for (let at = 0; at < bytes.length;) {
      if (length === size) {
        yield { bytes: Buffer.concat(parts), isOnly: false };
        [parts, length, isFirst] = [[], 0, false];
      }
      const piece = bytes.subarray(at, at + size - length);
      parts.push(piece);
      length += piece.length;
      at += piece.length;
    }
  }
  yield { bytes: Buffer.concat(parts), isOnly: isFirst };
}
