/** A map that drops the entry that was not asked for longest. */
export class LruMap<V> {
  readonly #maxEntries: number;
  readonly #entries = new Map<string, V>();

  constructor(maxEntries: number) {
    this.#maxEntries = maxEntries;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): V | undefined {
    const value = this.#entries.get(key);
    if (value === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, value);
    return value;
  }

  set(key: string, value: V): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    const oldest = this.#entries.keys().next();
    if (this.#entries.size > this.#maxEntries && oldest.done !== true) this.#entries.delete(oldest.value);
  }
}
