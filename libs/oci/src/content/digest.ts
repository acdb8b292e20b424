import { createHash, type Hash } from "node:crypto";

const digestPattern = /^(?:sha256:[0-9a-f]{64}|sha512:[0-9a-f]{128})$/;

/** `sha256:` or `sha512:` and lower-case hex digits. */
export function isDigest(text: string): boolean {
  return digestPattern.test(text);
}

/** The sha256 digest of the bytes. */
export function digestOf(bytes: Uint8Array): string {
  return `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
}

/** The hash that a digest names; `digest` must satisfy isDigest. */
export function hashOf(digest: string): Hash {
  return createHash(digest.slice(0, digest.indexOf(":")));
}

export function matchesDigest(bytes: Uint8Array, digest: string): boolean {
  return hashOf(digest).update(bytes).digest("hex") === digest.slice(digest.indexOf(":") + 1);
}
