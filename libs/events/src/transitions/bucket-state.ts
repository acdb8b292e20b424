import { isOwnedBy, type BucketOwner } from "./bucket-owner.ts";
import {
  isAcknowledged,
  keysOf,
  parseClaim,
  parsePosition,
  positionToken,
  type Claim,
  type StoredPosition,
} from "./claim.ts";
import type { EventLink } from "./event-link.ts";
import { stateAfter } from "./find-transition.ts";
import { NatsProblem, TakenOver } from "./nats-problem.ts";
import { dataOfState, ObjectStates } from "./object-states.ts";
import { eventKinds, type EventKind } from "./object-version.ts";
import type { Position } from "./position-tracker.ts";

export interface KindPosition {
  position: Position;
  /** Revision of its key. */
  revision: number;
}

/** Content of the bucket of one landscaper cluster, as one publisher knows it. */
export interface BucketState {
  readonly states: ObjectStates;
  readonly positions: Readonly<Record<EventKind, KindPosition>>;
}

/**
 * Stores the new owner in the bucket, and reads the bucket. If the previous owner writes meanwhile, the new owner notices later: it observes the
 * versions after the position again, and the revisions of their keys differ.
 */
export async function loadBucket(link: EventLink, { hubId, by }: BucketOwner): Promise<BucketState> {
  const keys = keysOf(hubId);
  const { place } = link;
  const owner = await link.get(keys.owner);
  const taken = await link.put(keys.owner, by, owner?.revision ?? 0);
  if (taken === undefined) throw new TakenOver(keys.owner);
  const positions = createPositions();
  const states = new ObjectStates();
  for (const { key, value, revision } of await link.readAll(keys.all, taken)) {
    const [, kind = "", ...rest] = key.split(".");
    if (!isEventKind(kind)) continue;
    const token = rest.join(".");
    if (token === positionToken) {
      positions[kind] = { position: parsePosition(value) ?? refuseValue(place, key), revision };
      continue;
    }
    const claim = parseClaim(value, kind, token) ?? refuseValue(place, key);
    const state = stateAfter(claim.data);
    Object.assign(states.of(kind, token), {
      observed: state,
      claimed: { state, list: claim.list, open: claim },
      revision,
    });
  }
  for (const record of states.all()) {
    const { claimed, kind } = record;
    if (claimed?.open === undefined || !isAcknowledged(claimed.open, positions[kind].position)) continue;
    record.claimed = { state: claimed.state, list: claimed.list };
  }
  return { states, positions };
}

/** Throws NatsProblem for a value that no publisher has written: guessing would lose or invent transitions. */
function refuseValue(place: string, key: string): never {
  throw new NatsProblem(
    "bucket-unreadable",
    `${place}: the bucket of the events: the value of the key ${key} was not written by a publisher of events. Delete the key.`,
  );
}

/** Throws TakenOver if another publisher owns the bucket. Fills the bucket again, from memory, if it was emptied or deleted. */
export async function checkBucket(link: EventLink, state: BucketState, { hubId, by }: BucketOwner): Promise<void> {
  const keys = keysOf(hubId);
  if (await isOwnedBy(link, { hubId, by })) return;
  const write = async (key: string, value: object): Promise<number> => {
    const revision = await link.put(key, JSON.stringify(value), 0);
    if (revision !== undefined) return revision;
    // An earlier attempt to fill the bucket may have written the key. The bucket is complete when it has an owner again.
    const stored = await link.get(key);
    if (stored?.value !== JSON.stringify(value)) throw new TakenOver(key);
    return stored.revision;
  };
  for (const record of state.states.all()) {
    const { claimed } = record;
    if (claimed === undefined) continue;
    const data = dataOfState(record, claimed.state);
    const claim: Claim = claimed.open ?? { by, time: "", list: claimed.list, isPublished: true, data };
    record.revision = await write(keys.object(record.kind, record.uid), claim);
  }
  // After the objects: a publisher that finds a part of them without a position begins with a list, and invents no first transition.
  for (const kind of eventKinds) {
    const at = state.positions[kind];
    if (at.revision > 0)
      at.revision = await write(keys.position(kind), { ...at.position, by } satisfies StoredPosition);
  }
  if ((await link.put(keys.owner, by, 0)) === undefined) throw new TakenOver(keys.owner);
}

function createPositions(): Record<EventKind, KindPosition> {
  const start = (): KindPosition => ({ position: { lists: 0 }, revision: 0 });
  return { Installation: start(), Execution: start(), DeployItem: start() };
}

function isEventKind(kind: string): kind is EventKind {
  return (eventKinds as readonly string[]).includes(kind);
}
