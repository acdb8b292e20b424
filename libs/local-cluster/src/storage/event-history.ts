import type { StoredObject } from "./stored-object.ts";

/** One write, as watches see it. */
export interface StoreEvent {
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  /** For DELETED: the last state, with the revision of the deletion. */
  readonly current: StoredObject;
  readonly previous: StoredObject | undefined;
  readonly revision: number;
  /** The collection it happened in. */
  readonly storage: string;
}

/** The newest events of one collection, for watches that start in the past. */
export class EventHistory {
  readonly #limit: number;
  #events: StoreEvent[] = [];
  /** Revisions up to this one may be missing from the window. */
  #compacted: number;

  constructor(limit: number, compacted: number) {
    this.#limit = limit;
    this.#compacted = compacted;
  }

  add(event: StoreEvent): void {
    this.#events.push(event);
    if (this.#events.length >= 2 * this.#limit) this.#dropUntil(this.#events.length - this.#limit);
  }

  /** Forgets everything up to `revision`. */
  compact(revision: number): void {
    this.#events = this.#events.filter((event) => event.revision > revision);
    this.#compacted = Math.max(this.#compacted, revision);
  }

  /** Events after `revision`, oldest first; undefined when some of them are gone. */
  since(revision: number): readonly StoreEvent[] | undefined {
    if (revision < this.#compacted) return undefined;
    return this.#events.slice(this.#firstAfter(revision));
  }

  get oldest(): number {
    return this.#compacted;
  }

  #dropUntil(count: number): void {
    this.#compacted = this.#events[count - 1]?.revision ?? this.#compacted;
    this.#events = this.#events.slice(count);
  }

  #firstAfter(revision: number): number {
    let low = 0;
    let high = this.#events.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#events[middle]?.revision ?? 0) > revision) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
