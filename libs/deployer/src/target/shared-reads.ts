import { formatKey, type ObjectKey } from "@landscaper/api";

/** Reads by key, shared by all who ask at about the same time. */
export interface SharedReads<T> {
  /** What `find` brings; it begins after this call, so that the answer is not older than the question. */
  read(key: ObjectKey): Promise<T>;
}

/** At most one read of a key is in flight; who asks meanwhile shares the next one. */
export function createSharedReads<T>(find: (key: ObjectKey) => Promise<T>): SharedReads<T> {
  const inFlight = new Map<string, Promise<unknown>>();
  /** Those that have not begun. */
  const next = new Map<string, Promise<T>>();
  async function begin(key: ObjectKey, id: string): Promise<T> {
    // Whether the one before fails is the matter of those who share it.
    await Promise.allSettled([inFlight.get(id)]);
    next.delete(id);
    const reading = find(key);
    inFlight.set(id, reading);
    try {
      return await reading;
    } finally {
      if (inFlight.get(id) === reading) inFlight.delete(id);
    }
  }
  return {
    async read(key) {
      const id = formatKey(key);
      const waiting = next.get(id) ?? begin(key, id);
      // `begin` waits before it takes itself out.
      if (!next.has(id)) next.set(id, waiting);
      return await waiting;
    },
  };
}
