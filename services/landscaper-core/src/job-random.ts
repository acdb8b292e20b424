import { createHmac, randomBytes } from "node:crypto";

/**
 * Random bytes for templates: within this process every attempt of a job gets the same ones (design.md §3.2). They come from a key
 * that never leaves the process, because job IDs are no secrets and passwords are made from these bytes.
 */
export function createJobRandom(key: Uint8Array = randomBytes(32)): (jobID: string) => (bytes: number) => Uint8Array {
  return (jobID) => {
    let counter = 0;
    return (bytes) => {
      const blocks: Uint8Array[] = [];
      for (let length = 0; length < bytes; length += 32) {
        blocks.push(createHmac("sha256", key).update(`${jobID}/${counter}`).digest());
        counter += 1;
      }
      return Buffer.concat(blocks).subarray(0, bytes);
    };
  };
}
