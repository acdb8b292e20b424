import type { BucketState } from "./bucket-state.ts";
import { isDeleted, isDeletionPublished, type ObjectRecord } from "./object-states.ts";

/** Deleted objects whose key is still in the bucket. */
export class DeletedKeys {
  #records: ObjectRecord[] = [];

  add(record: ObjectRecord): void {
    this.#records.push(record);
  }

  /** Forgets the objects that no later publisher can see again, and returns them. Their keys can be removed. */
  *take({ states, positions }: BucketState): Generator<ObjectRecord> {
    const records = this.#records;
    this.#records = [];
    for (const record of records) {
      // An API server that was restored from a backup may have the object again.
      if (!isDeleted(record)) continue;
      if (!isDeletionPublished(record, positions[record.kind].position)) {
        this.#records.push(record);
        continue;
      }
      // An object that is observed while its key is being removed starts without a state.
      states.delete(record.uid);
      yield record;
    }
  }
}
