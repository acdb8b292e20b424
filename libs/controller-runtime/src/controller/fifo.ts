/** A queue with constant-time ends; Array.prototype.shift moves the whole array. */
export interface Fifo<T> {
  readonly size: number;
  readonly first: T | undefined;
  push(item: T): void;
  shift(): T | undefined;
}

export function createFifo<T>(): Fifo<T> {
  let items: (T | undefined)[] = [];
  let head = 0;
  return {
    get size() {
      return items.length - head;
    },
    get first() {
      return items[head];
    },
    push: (item) => void items.push(item),
    shift: () => {
      if (head === items.length) return undefined;
      const item = items[head];
      items[head++] = undefined;
      if (head > 1024 && head * 2 > items.length) {
        items = items.slice(head);
        head = 0;
      }
      return item;
    },
  };
}
