import { createHmac, randomBytes } from "node:crypto";
import { createKey, type CreateKey } from "@landscaper/x509";
import { LruMap } from "./lru-map.ts";

/** What templates draw by chance; see RenderContext. */
export interface Entropy {
  readonly random: (bytes: number) => Uint8Array;
  readonly createKey: CreateKey;
}

export interface JobEntropyOptions {
  /** Key of the random bytes, 32 bytes; default: drawn once. */
  readonly key?: Uint8Array;
  /** Makes private keys; default: node's. */
  readonly createKey?: CreateKey;
}

/** Private keys that are kept, for attempts that follow: about 1 MiB. */
const maxKeys = 512;

/**
 * Random bytes and private keys for templates: within this process every attempt of an Installation's job gets the same ones
 * (design.md §3.2), and no other Installation or job does. The bytes come from a key that never leaves the process, because UIDs and
 * job IDs are no secrets and passwords are made from these bytes. Private keys cannot be derived, so the latest ones are kept.
 */
export function createJobEntropy(options: JobEntropyOptions = {}): (uid: string, jobID: string) => Entropy {
  const { key = randomBytes(32), createKey: newKey = createKey } = options;
  const privateKeys = new LruMap<string>(maxKeys);
  return (uid, jobID) => {
    let blocks = 0;
    let keys = 0;
    return {
      random: (bytes) => {
        const drawn: Uint8Array[] = [];
        for (let length = 0; length < bytes; length += 32) {
          drawn.push(createHmac("sha256", key).update(`${uid}/${jobID}/${blocks}`).digest());
          blocks += 1;
        }
        return Buffer.concat(drawn).subarray(0, bytes);
      },
      createKey: (kind) => {
        const name = `${uid}/${jobID}/${keys}/${JSON.stringify(kind)}`;
        keys += 1;
        const kept = privateKeys.get(name) ?? newKey(kind);
        privateKeys.set(name, kept);
        return kept;
      },
    };
  };
}
