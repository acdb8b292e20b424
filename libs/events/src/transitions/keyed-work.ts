import { createFifo, type Fifo } from "@landscaper/controller-runtime";

/** Performs the items of one key in order, and items of many keys at the same time. */
export interface KeyedWork<T> {
  add(key: string, item: T): void;
}

/** `perform` must not reject. At most `limit` items run at the same time. The next item of a key begins when its predecessor has ended. */
export function createKeyedWork<T>(limit: number, perform: (key: string, item: T) => Promise<void>): KeyedWork<T> {
  /** Keys with an item that runs or is due, and the items that wait behind it. Most keys have none. */
  const keys = new Map<string, Fifo<T> | undefined>();
  const due = createFifo<readonly [key: string, item: T]>();
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
      if (keys.has(key)) {
        const behind = keys.get(key) ?? createFifo();
        behind.push(item);
        keys.set(key, behind);
        return;
      }
      keys.set(key, undefined);
      due.push([key, item]);
      start();
    },
  };
}
