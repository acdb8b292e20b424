import type { Descriptor } from "./descriptor.ts";
import { hashOf } from "./digest.ts";
import { ociError } from "../oci-error.ts";

/**
 * Passes the bytes on and throws LandscaperError (DigestMismatch) when they are more or fewer than the descriptor says, or others.
 * What was passed on may be used only after the end.
 */
export async function* verifyContent(
  stream: AsyncIterable<Uint8Array>,
  { digest, size, place }: Pick<Descriptor, "digest" | "size"> & { readonly place: string },
): AsyncGenerator<Uint8Array> {
  const hash = hashOf(digest);
  let found = 0;
  for await (const part of stream) {
    found += part.length;
    if (found > size) throw digestMismatch(place, `expected ${size} bytes, found more`);
    hash.update(part);
    yield part;
  }
  if (found !== size) throw digestMismatch(place, `expected ${size} bytes, found ${found}`);
  const actual = `${digest.slice(0, digest.indexOf(":"))}:${hash.digest("hex")}`;
  if (actual !== digest) throw digestMismatch(place, `expected digest ${digest}, found ${actual}`);
}

export function digestMismatch(place: string, problem: string): Error {
  return ociError({ reason: "DigestMismatch", message: `${place}: ${problem}` });
}
