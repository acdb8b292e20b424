import { keysOf } from "./claim.ts";
import type { EventLink } from "./event-link.ts";
import { bucketEmptied, TakenOver } from "./nats-problem.ts";

export interface BucketOwner {
  readonly hubId: string;
  /** Id of the publisher. */
  readonly by: string;
}

/** Returns whether the bucket names this owner. False: it names none, as it was emptied. Throws TakenOver if it names another one. */
export async function isOwnedBy(link: Pick<EventLink, "get">, { hubId, by }: BucketOwner): Promise<boolean> {
  const { owner: key } = keysOf(hubId);
  const owner = await link.get(key);
  if (owner !== undefined && owner.value !== by) throw new TakenOver(key);
  return owner !== undefined;
}

export interface KeyValue {
  readonly key: string;
  readonly value: string;
  /** Revision of the value that this one replaces. 0: none. */
  readonly revision: number;
}

/**
 * Stores a value if no other publisher has changed the key, and returns its revision. A lost answer is not a change by another publisher. Throws
 * TakenOver, or NatsProblem if the bucket was emptied.
 */
export async function storeValue(
  link: Pick<EventLink, "get" | "put" | "place">,
  owner: BucketOwner,
  { key, value, revision }: KeyValue,
): Promise<number> {
  const written = await link.put(key, value, revision);
  if (written !== undefined) return written;
  const stored = await link.get(key);
  if (stored?.value === value) return stored.revision;
  if (stored !== undefined) throw new TakenOver(key);
  // Someone has removed the key alone, or the whole content.
  if (!(await isOwnedBy(link, owner))) throw bucketEmptied(link.place);
  const created = await link.put(key, value, 0);
  if (created === undefined) throw new TakenOver(key);
  return created;
}
