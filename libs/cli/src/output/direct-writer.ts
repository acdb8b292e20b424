/** Writes bytes. Calls `done` when the destination has accepted or refused them. */
export type ByteWriter = (bytes: Uint8Array, done?: (error?: Error | null) => void) => void;

interface Destination {
  /** Writes some of the bytes synchronously and returns their number. Throws if it cannot, for example because the reader is slow. */
  readonly writeNow: (bytes: Uint8Array) => number;
  readonly writeLater: ByteWriter;
}

/**
 * Returns a function that writes synchronously until the destination refuses bytes. After that, it passes everything to `writeLater`, which waits for a
 * slow reader and reports a closed pipe.
 */
export function createDirectWriter({ writeNow, writeLater }: Destination): ByteWriter {
  let isDirect = true;
  return (bytes, done) => {
    if (!isDirect) return writeLater(bytes, done);
    let rest = bytes;
    try {
      while (rest.length > 0) rest = rest.subarray(writeNow(rest));
    } catch {
      isDirect = false;
      return writeLater(rest, done);
    }
    done?.();
  };
}
