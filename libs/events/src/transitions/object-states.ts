import { isAcknowledged, type Claim } from "./claim.ts";
import { factsOf, type ObjectState } from "./find-transition.ts";
import type { TransitionData } from "@landscaper/api";
import type { EventKind } from "./object-version.ts";
import type { Position } from "./position-tracker.ts";

export interface ClaimedState {
  readonly state: ObjectState;
  /** Number of the list that the state was found in. */
  readonly list: number | undefined;
  /** The claim, if its event may not be published yet. */
  readonly open?: Claim | undefined;
}

/** State of an object in memory and in the bucket. */
export interface ObjectRecord {
  readonly kind: EventKind;
  readonly uid: string;
  /** State after the last transition that was observed. */
  observed: ObjectState | undefined;
  /** State in the bucket. */
  claimed: ClaimedState | undefined;
  /** Revision of its key. 0: the bucket has none. */
  revision: number;
}

/** All objects with a state, by uid. */
export class ObjectStates {
  readonly #records = new Map<string, ObjectRecord>();

  get(uid: string): ObjectRecord | undefined {
    return this.#records.get(uid);
  }

  /** Returns the record of the object, a new one if there is none. */
  of(kind: EventKind, uid: string): ObjectRecord {
    const found = this.#records.get(uid);
    if (found !== undefined) return found;
    const record: ObjectRecord = { kind, uid, observed: undefined, claimed: undefined, revision: 0 };
    this.#records.set(uid, record);
    return record;
  }

  delete(uid: string): void {
    this.#records.delete(uid);
  }

  all(): Iterable<ObjectRecord> {
    return this.#records.values();
  }
}

/** Returns the data of an event that leaves the object in this state, for a bucket that has to be filled again. */
export function dataOfState({ kind, uid }: ObjectRecord, { isDeleted, ...state }: ObjectState): TransitionData {
  return { ...factsOf(kind, { ...state, uid }), ...(isDeleted === true ? { deleted: true } : {}) };
}

export function isDeleted({ observed }: ObjectRecord): boolean {
  return observed?.isDeleted === true;
}

/** Whether the claimed state is the deletion of the object, and its event was acknowledged before the position. No later publisher sees the object again. */
export function isDeletionPublished({ claimed, kind, uid }: ObjectRecord, position: Position): boolean {
  if (claimed === undefined || claimed.open !== undefined || claimed.state.isDeleted !== true) return false;
  return isAcknowledged({ list: claimed.list, data: { ...claimed.state, kind, uid } }, position);
}
