import { createHash } from "node:crypto";
import type { RegistryBlob } from "../repository/component-version.ts";

/** Hashes of blobs that were read to their end, so that another job need not read them again. */
export interface HashMemory {
  /** The hash of the blob, made in this way; `read` makes it where it is not known. */
  hashOf(blob: RegistryBlob, method: string, read: () => Promise<string>): Promise<string>;
}

/** Some hundred bytes each. */
const defaultLimit = 10_000;

/** What was used longest ago goes first. */
export function createHashMemory(limit = defaultLimit): HashMemory {
  const hashes = new Map<string, string>();
  return {
    async hashOf({ digest, owner }, method, read) {
      // What tells owners apart may be a credential: it does not stay in memory.
      const key = createHash("sha256")
        .update(JSON.stringify([digest, method, owner ?? null]))
        .digest("base64");
      const hash = hashes.get(key) ?? (await read());
      hashes.delete(key);
      hashes.set(key, hash);
      for (const oldest of hashes.keys()) {
        if (hashes.size <= limit) break;
        hashes.delete(oldest);
      }
      return hash;
    },
  };
}
