/** Work in order for each key, and on many keys at a time. */
export interface KeyedWork<T> {
  add(key: string, item: T): void;
}

/** `perform` must not reject. At most `limit` items are performed at a time, and of one key the next begins when the one before has ended. */
export function createKeyedWork<T>(limit: number, perform: (key: string, item: T) => Promise<void>): KeyedWork<T> {
  /** Keys with an item that runs or waits, and what waits behind it. */
  const keys = new Map<string, T[]>();
  const due: (readonly [key: string, item: T])[] = [];
  let running = 0;
  const start = (): void => {
    while (running < limit) {
      const next = due.shift();
      if (next === undefined) return;
      running++;
      void perform(...next).finally(() => end(next[0]));
    }
  };
  const end = (key: string): void => {
    running--;
    const following = keys.get(key)?.shift();
    if (following === undefined) keys.delete(key);
    else due.push([key, following]);
    start();
  };
  return {
    add: (key, item) => {
      const waiting = keys.get(key);
      if (waiting !== undefined) {
        waiting.push(item);
        return;
      }
      keys.set(key, []);
      due.push([key, item]);
      start();
    },
  };
}
