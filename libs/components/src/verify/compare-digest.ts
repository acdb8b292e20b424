import { createHashNamed, type Resource } from "@landscaper/ocm";
import { componentError } from "../component-error.ts";
import { isArtifactDigest } from "./resource-digest.ts";

interface Digested {
  readonly digest?: Resource["digest"] | undefined;
}

/** Throws LandscaperError unless the digest of a manifest is the one that the descriptor has, if it has one. */
export function checkArtifactDigest({ digest }: Digested, found: string, where: string): void {
  if (digest !== undefined && isArtifactDigest(digest))
    compare(digest.value, found.slice(found.indexOf(":") + 1), where);
}

/** The bytes, which throw at their end unless they are those of the descriptor's digest, if it has one of bytes. */
export async function* withBlobDigest(
  content: AsyncIterable<Uint8Array>,
  { digest }: Digested,
  where: string,
): AsyncGenerator<Uint8Array> {
  if (digest?.normalisationAlgorithm !== "genericBlobDigest/v1") {
    yield* content;
    return;
  }
  const hash = createHashNamed(digest.hashAlgorithm, where);
  for await (const part of content) {
    hash.update(part);
    yield part;
  }
  compare(digest.value, hash.digest("hex"), where);
}

function compare(expected: string, found: string, where: string): void {
  if (found === expected.toLowerCase()) return;
  throw componentError(
    "InvalidComponent",
    `${where}: digest mismatch: the descriptor has ${expected}, the content ${found}`,
  );
}
