import { createHash } from "node:crypto";

/**
 * Which of the members an item belongs to, by rendezvous hashing of its UID (design.md §5): each member has a weight for each item,
 * and the heaviest one has it. So a member that comes takes its share from all others, and one that goes leaves the rest where it is.
 * Undefined without members. Pure; the order of the members does not matter.
 */
export function ownerOfItem(uid: string, members: readonly string[]): string | undefined {
  let owner: { readonly member: string; readonly weight: number } | undefined;
  for (const member of members) {
    const weight = weightOf(uid, member);
    const isHeavier = owner === undefined || weight > owner.weight;
    if (isHeavier || (weight === owner?.weight && member > owner.member)) owner = { member, weight };
  }
  return owner?.member;
}

function weightOf(uid: string, member: string): number {
  return createHash("sha256").update(`${uid}/${member}`).digest().readUIntBE(0, 6);
}
