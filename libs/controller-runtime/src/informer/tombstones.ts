import { isOlder, type KubeObject } from "@landscaper/api";

/** Remembers which objects are gone, so that late news of them is not taken for a new object. */
export interface Tombstones {
  /** `object` is the last version, or the deletion itself. */
  add(object: KubeObject): void;
  addUid(uid: string): void;
  /** Whether this version of an object is older than its known end. */
  covers(object: KubeObject): boolean;
  /** The last known version of an object that is gone; undefined for others, and where only its end is known. */
  endOf(object: KubeObject): string | undefined;
  clear(): void;
}

/** Old news is seconds late, so only the latest deletions need to be kept; the bound is on memory. */
const maxTombstones = 10_000;

export function createTombstones(limit = maxTombstones): Tombstones {
  const graves = new Map<string, string | undefined>();
  const set = (uid: string | undefined, resourceVersion: string | undefined): void => {
    if (uid === undefined) return;
    graves.delete(uid);
    graves.set(uid, resourceVersion);
    const [oldest] = graves.keys();
    if (graves.size > limit && oldest !== undefined) graves.delete(oldest);
  };
  return {
    add: (object) => set(object.metadata.uid, object.metadata.resourceVersion),
    addUid: (uid) => set(uid, undefined),
    covers: ({ metadata: { uid, resourceVersion } }) => {
      if (uid === undefined || !graves.has(uid)) return false;
      // A version after the supposed end proves that the object lives (its last finalizer was not the last reason to live).
      return !isOlder(graves.get(uid), resourceVersion);
    },
    endOf: ({ metadata: { uid } }) => (uid === undefined ? undefined : graves.get(uid)),
    clear: () => graves.clear(),
  };
}
