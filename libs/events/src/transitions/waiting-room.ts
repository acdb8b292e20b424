export interface WaitingItem {
  /** Estimated memory. */
  readonly bytes: number;
}

export interface RoomLimits {
  readonly count: number;
  readonly bytes: number;
}

/** Items that wait, bounded by number and memory. Callers must check `hasRoom` before they add. */
export class WaitingRoom<T extends WaitingItem> {
  readonly #limits: RoomLimits;
  readonly #signal: AbortSignal;
  readonly #items = new Set<T>();
  #bytes = 0;
  #pause: Promise<void> | undefined;
  #wake: (() => void) | undefined;

  /** `wait` resolves when the signal is aborted. */
  constructor(limits: RoomLimits, signal: AbortSignal) {
    this.#limits = limits;
    this.#signal = signal;
  }

  get size(): number {
    return this.#items.size;
  }

  get oldest(): T | undefined {
    return this.#items.values().next().value;
  }

  get hasRoom(): boolean {
    return this.#items.size < this.#limits.count && this.#bytes < this.#limits.bytes;
  }

  add(item: T): void {
    this.#items.add(item);
    this.#bytes += item.bytes;
  }

  remove(item: T): void {
    if (!this.#items.delete(item)) return;
    this.#bytes -= item.bytes;
    if (this.#items.size > this.#limits.count / 2 || this.#bytes > this.#limits.bytes / 2) return;
    this.#pause = undefined;
    this.#wake?.();
  }

  /** Resolves when half of the room is free. Call it when there is no room. */
  wait(): Promise<void> {
    this.#pause ??= new Promise((resolve) => {
      this.#wake = resolve;
      if (this.#signal.aborted) resolve();
      else this.#signal.addEventListener("abort", () => resolve(), { once: true });
    });
    return this.#pause;
  }
}
