import type { UnstructuredObject } from "@landscaper/api";
import { checkSize } from "./check-size.ts";
import { Collection } from "./collection.ts";
import type { StoreEvent } from "./event-history.ts";
import { EventHistory } from "./event-history.ts";
import { StoredObject } from "./stored-object.ts";

/** Revision of an empty store; the real server's first objects have such numbers too. */
const firstRevision = 100;

/** How many events per resource a watch can go back at least; at most twice as many are kept. */
const historyLimit = 5000;

export type StoreListener = (event: StoreEvent) => void;

/**
 * All objects of a cluster in memory. Every write is one synchronous step, so that nobody sees half of it; listeners run
 * in the same step and must not write.
 */
export class Store {
  readonly #collections = new Map<string, Collection>();
  readonly #histories = new Map<string, EventHistory>();
  readonly #listeners = new Map<string, Set<StoreListener>>();
  readonly #allListeners = new Set<StoreListener>();
  #revision = firstRevision;
  #compacted = 0;

  /** Of the last write. */
  get revision(): number {
    return this.#revision;
  }

  collection(storage: string): Collection {
    let collection = this.#collections.get(storage);
    if (collection === undefined) {
      collection = new Collection();
      this.#collections.set(storage, collection);
    }
    return collection;
  }

  /** Writes an object that is new or replaces `previous`; sets metadata.resourceVersion. Throws StatusError if it is too large. */
  put(storage: string, object: UnstructuredObject, previous: StoredObject | undefined): StoredObject {
    const current = this.#next(object);
    if (current.mayBeTooLarge()) checkSize(object);
    this.#revision = current.revision;
    this.collection(storage).set(current);
    this.#emit({
      type: previous === undefined ? "ADDED" : "MODIFIED",
      current,
      previous,
      revision: current.revision,
      storage,
    });
    return current;
  }

  /** Removes `previous`; `object` is the state that watches see last. */
  remove(storage: string, object: UnstructuredObject, previous: StoredObject): StoredObject {
    const current = this.#next(object);
    this.#revision = current.revision;
    this.collection(storage).delete(previous);
    this.#emit({ type: "DELETED", current, previous, revision: current.revision, storage });
    return current;
  }

  history(storage: string): EventHistory {
    let history = this.#histories.get(storage);
    if (history === undefined) {
      history = new EventHistory(historyLimit, this.#compacted);
      this.#histories.set(storage, history);
    }
    return history;
  }

  /** Makes all revisions up to now unreachable for watches and continued lists. */
  compact(): void {
    this.#compacted = this.#revision;
    for (const history of this.#histories.values()) history.compact(this.#revision);
  }

  get compacted(): number {
    return this.#compacted;
  }

  /** Calls `listener` after every write to `storage` ("*": to anything); the returned function ends it. */
  subscribe(storage: string, listener: StoreListener): () => void {
    let listeners = storage === "*" ? this.#allListeners : this.#listeners.get(storage);
    if (listeners === undefined) {
      listeners = new Set();
      this.#listeners.set(storage, listeners);
    }
    listeners.add(listener);
    const entered = listeners;
    return () => entered.delete(listener);
  }

  /** The next revision, which is not taken yet. */
  #next(object: UnstructuredObject): StoredObject {
    const revision = this.#revision + 1;
    const metadata = { ...object.metadata, resourceVersion: String(revision) };
    return new StoredObject({ ...object, metadata }, revision);
  }

  #emit(event: StoreEvent): void {
    this.history(event.storage).add(event);
    for (const listener of this.#listeners.get(event.storage) ?? []) listener(event);
    for (const listener of this.#allListeners) listener(event);
  }
}
