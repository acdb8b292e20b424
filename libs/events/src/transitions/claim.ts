import { compareResourceVersions } from "@landscaper/api";
import type { TransitionData } from "@landscaper/api";
import { parseJson } from "@landscaper/json";
import type { EventKind } from "./object-version.ts";
import type { Position } from "./position-tracker.ts";
import { isText, isTransitionData, isVersion } from "./transition-data.ts";

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

/** Returns the claim in the value of an object's key. Undefined: a publisher did not write it. An event is made from a claim, so each field must be as expected. */
export function parseClaim(value: string, kind: EventKind, uid: string): Claim | undefined {
  const claim = parseObject<Claim>(value);
  if (claim === undefined || !isText(claim.by) || !isText(claim.time)) return undefined;
  const { list, data } = claim;
  if (list !== undefined && !isCount(list)) return undefined;
  return isTransitionData(data) && data.kind === kind && data.uid === uid ? (claim as Claim) : undefined;
}

/** Returns the position in the value of its key. Undefined: a publisher did not write it. */
export function parsePosition(value: string): Position | undefined {
  const { lists, resourceVersion } = parseObject<StoredPosition>(value) ?? {};
  if (!isCount(lists) || (resourceVersion !== undefined && !isVersion(resourceVersion))) return undefined;
  return { lists, resourceVersion };
}

function parseObject<T>(value: string): Partial<T> | undefined {
  try {
    const parsed = parseJson(value) as unknown as Partial<T> | null;
    return typeof parsed === "object" && parsed !== null ? parsed : undefined;
  } catch {
    return undefined;
  }
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
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
  // Without collisions: two landscaper clusters with one prefix would take the bucket over from each other.
  const prefix = hubId.replace(/[^A-Za-z0-9-]/g, (character) => `=${character.charCodeAt(0).toString(16)}`);
  return {
    all: `${prefix}.>`,
    owner: `${prefix}.${ownerToken}`,
    object: (kind, uid) => `${prefix}.${kind}.${uid}`,
    position: (kind) => `${prefix}.${kind}.${positionToken}`,
  };
}
