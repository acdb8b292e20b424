import { compareResourceVersions } from "@landscaper/api";
import type { TransitionData } from "@landscaper/api";
import type { Position } from "./position-tracker.ts";

/** Value of an object's key in the bucket: its last transition. It is stored before the event is published, and holds the whole event. */
export interface Claim {
  /** Id of the publisher that made the claim. */
  readonly by: string;
  /** Time of the event. */
  readonly time: string;
  /** Number of the list that the transition was found in. */
  readonly list?: number | undefined;
  /** True in a bucket that was filled again from memory: the event is published, and the claim contains the state alone. */
  readonly isPublished?: true | undefined;
  readonly data: TransitionData;
}

/** Value of a kind's position in the bucket. */
export interface StoredPosition extends Position {
  readonly by: string;
}

/** Whether the event of the claim is known to have been acknowledged. If not, a new publisher repeats it. */
export function isAcknowledged(claim: Pick<Claim, "list" | "isPublished" | "data">, position: Position): boolean {
  const { list, data, isPublished = false } = claim;
  if (isPublished) return true;
  if (list !== undefined) return list <= position.lists;
  // Versions without an order are repeated rather than lost.
  const order = compareResourceVersions(position.resourceVersion, data.resourceVersion);
  return order !== undefined && order >= 0;
}

export const positionToken = "position";
const ownerToken = "owner";

/** Keys of a landscaper cluster in the bucket. */
export function keysOf(hubId: string): {
  readonly all: string;
  readonly owner: string;
  readonly object: (kind: string, uid: string) => string;
  readonly position: (kind: string) => string;
} {
  const prefix = hubId.replace(/[^A-Za-z0-9-]/g, "_");
  return {
    all: `${prefix}.>`,
    owner: `${prefix}.${ownerToken}`,
    object: (kind, uid) => `${prefix}.${kind}.${uid}`,
    position: (kind) => `${prefix}.${kind}.${positionToken}`,
  };
}
