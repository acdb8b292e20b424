import { createHmac, randomBytes } from "node:crypto";
import { createKey, type CreateKey } from "@landscaper/x509";
import { LruMap } from "./lru-map.ts";

/** What templates draw by chance; see RenderContext. */
export interface Entropy {
  readonly random: (bytes: number) => Uint8Array;
  readonly createKey: CreateKey;
}

/** Where the chance of one job comes from: plain data, so that any thread draws the same. */
export interface EntropySeed {
  /** 32 bytes. */
  readonly seed: Uint8Array;
  /** Private keys that earlier attempts have made, by what they are. */
  readonly keys: Readonly<Record<string, string>>;
}

/**
 * Random bytes and private keys for one attempt: equal seeds draw equal bytes. Private keys cannot be derived: they are taken from the
 * seed, and `onKey` is told of those that it does not have.
 */
export function drawFrom(
  { seed, keys }: EntropySeed,
  options: { readonly onKey?: (name: string, key: string) => void; readonly createKey?: CreateKey } = {},
): Entropy {
  const { onKey, createKey: newKey = createKey } = options;
  let blocks = 0;
  let made = 0;
  return {
    random: (bytes) => {
      const drawn: Uint8Array[] = [];
      for (let length = 0; length < bytes; length += 32) {
        drawn.push(createHmac("sha256", seed).update(String(blocks)).digest());
        blocks += 1;
      }
      return Buffer.concat(drawn).subarray(0, bytes);
    },
    createKey: (kind) => {
      const name = `${made}/${JSON.stringify(kind)}`;
      made += 1;
      const known = Object.hasOwn(keys, name) ? keys[name] : undefined;
      if (known !== undefined) return known;
      const key = newKey(kind);
      onKey?.(name, key);
      return key;
    },
  };
}

/** The seeds of all jobs of a process. */
export interface JobEntropy {
  seedOf(uid: string, jobID: string): EntropySeed;
  /** Keys that an attempt has made, for those that follow. */
  keep(uid: string, jobID: string, keys: Readonly<Record<string, string>>): void;
}

/** Jobs with private keys that are remembered, and how many of each: at most about 64 MiB, usually below 2. */
const maxJobs = 512;
const maxKeysPerJob = 64;

/**
 * Within this process every attempt of an Installation's job gets the same random bytes and private keys (design.md §3.2), and no other
 * Installation or job does. The bytes come from a key that never leaves the process, because UIDs and job IDs are no secrets and
 * passwords are made from these bytes. `key` has 32 bytes; default: drawn once.
 */
export function createJobEntropy(key: Uint8Array = randomBytes(32)): JobEntropy {
  const kept = new LruMap<Readonly<Record<string, string>>>(maxJobs);
  return {
    seedOf: (uid, jobID) => ({
      seed: createHmac("sha256", key).update(`${uid}/${jobID}`).digest(),
      keys: kept.get(`${uid}/${jobID}`) ?? {},
    }),
    keep: (uid, jobID, keys) => {
      if (Object.keys(keys).length === 0) return;
      const name = `${uid}/${jobID}`;
      const all = Object.entries({ ...kept.get(name), ...keys });
      kept.set(name, Object.fromEntries(all.slice(0, maxKeysPerJob)));
    },
  };
}
