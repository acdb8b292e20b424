/** Performs the items of one key in order, and items of many keys at the same time. */
export interface KeyedWork<T> {
  add(key: string, item: T): void;
}

/** `perform` must not reject. At most `limit` items run at the same time. The next item of a key begins when its predecessor has ended. */
export function createKeyedWork<T>(limit: number, perform: (key: string, item: T) => Promise<void>): KeyedWork<T> {
  /** Keys with an item that runs or is due, and the items that wait behind it. */
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
