import type { Value } from "./value.ts";

/** A map that tells when a value of certain keys is read; reading all values counts, reading keys does not. */
export class WatchedMap extends Map<string, Value> {
  readonly #isWatched: (key: string) => boolean;
  readonly #onRead: () => void;

  constructor(entries: ReadonlyMap<string, Value>, isWatched: (key: string) => boolean, onRead: () => void) {
    super();
    for (const [key, value] of entries) this.set(key, value);
    this.#isWatched = isWatched;
    this.#onRead = onRead;
  }

  #noteAll(): void {
    for (const key of this.keys()) if (this.#isWatched(key)) return this.#onRead();
  }

  override get(key: string): Value {
    if (this.#isWatched(key)) this.#onRead();
    return super.get(key);
  }
  override values(): MapIterator<Value> {
    this.#noteAll();
    return super.values();
  }
  override entries(): MapIterator<[string, Value]> {
    this.#noteAll();
    return super.entries();
  }
  override forEach(visit: (value: Value, key: string, map: Map<string, Value>) => void): void {
    this.#noteAll();
    super.forEach(visit);
  }
  override [Symbol.iterator](): MapIterator<[string, Value]> {
    this.#noteAll();
    return super[Symbol.iterator]();
  }
}
