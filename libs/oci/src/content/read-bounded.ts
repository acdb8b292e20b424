import { ociError } from "../oci-error.ts";

/** All bytes of a stream. Throws LandscaperError as soon as there are more than `limit`. */
export async function readBounded(
  stream: AsyncIterable<Uint8Array>,
  { limit, place }: { readonly limit: number; readonly place: string },
): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of stream) {
    size += part.length;
    if (size > limit) throw tooLarge(place, limit);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

export function tooLarge(place: string, limit: number): Error {
  return ociError({ reason: "ContentTooLarge", message: `${place}: more than the allowed ${limit} bytes` });
}
