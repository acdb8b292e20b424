/** Writes bytes; `done` is called once they are taken or refused. */
export type ByteWriter = (bytes: Uint8Array, done?: (error?: Error | null) => void) => void;

interface Destination {
  /** Writes some bytes at once and returns their number. Throws if it cannot, for example because the reader is slow. */
  readonly writeNow: (bytes: Uint8Array) => number;
  readonly writeLater: ByteWriter;
}

/**
 * Returns a function that writes at once until the destination refuses bytes. From then on, `writeLater` gets everything: it waits for a slow reader, and
 * reports one that has closed the pipe.
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
