import type { UnstructuredObject } from "@landscaper/api";
import type { Action } from "../actions.ts";
import { formerMaximum, replicasForNew, scaled } from "./make-replica-set.ts";
import type { Rollout } from "./rollout.ts";
import { allSets, availableOf, isRolling, replicasOf, sum, tolerances } from "./rollout.ts";

/** Available pods that the set keeps: its status may still count those that it is about to delete. */
function servingOf(set: UnstructuredObject): number {
  return Math.min(availableOf(set), replicasOf(set));
}

function scaleAction({ deployment }: Rollout, set: UnstructuredObject, replicas: number): Action[] {
  if (replicasOf(set) === replicas) return [];
  return [{ do: "update", object: scaled(deployment, set, replicas) }];
}

/** After a change of the Deployment's size: its only active set gets it; several share the difference by their sizes. */
export function scaleToSize(rollout: Rollout): Action[] {
  const { deployment, newSet } = rollout;
  const wanted = replicasOf(deployment);
  const active = allSets(rollout).filter((set) => replicasOf(set) > 0);
  const only = active.length > 1 ? undefined : (active[0] ?? newSet ?? rollout.oldSets.at(-1));
  if (only !== undefined) {
    // Written also when only what it remembers of the size changes.
    const object = scaled(deployment, only, wanted);
    return [{ do: "update", object }];
  }
  if (newSet !== undefined && isSaturated(rollout, newSet)) {
    return rollout.oldSets.flatMap((set) => scaleAction(rollout, set, 0));
  }
  return isRolling(deployment) ? shareDifference(rollout, active) : [];
}

function isSaturated({ deployment }: Rollout, set: UnstructuredObject): boolean {
  return replicasOf(set) === replicasOf(deployment) && servingOf(set) === replicasOf(deployment);
}

/** The larger sets first take their part of what is to be added or removed; the rest goes to the largest. */
function shareDifference({ deployment }: Rollout, active: readonly UnstructuredObject[]): Action[] {
  const total = sum(active, replicasOf);
  const allowed = replicasOf(deployment) === 0 ? 0 : replicasOf(deployment) + tolerances(deployment).surge;
  let left = allowed - total;
  const bySize = active.toSorted((a, b) => replicasOf(b) - replicasOf(a) || (isNewer(a, b) === left > 0 ? -1 : 1));
  const sizes = bySize.map((set) => {
    const size = replicasOf(set);
    const before = formerMaximum(set) ?? replicasOf(deployment);
    const share = Math.round((size * allowed) / before) - size;
    const part = left > 0 ? Math.min(Math.max(share, 0), left) : Math.max(Math.min(share, 0), left);
    left -= part;
    return size + part;
  });
  return bySize.map((set, i): Action => {
    const size = (sizes[i] ?? 0) + (i === 0 ? left : 0);
    return { do: "update", object: scaled(deployment, set, Math.max(size, 0)) };
  });
}

function isNewer(a: UnstructuredObject, b: UnstructuredObject): boolean {
  return (a.metadata.creationTimestamp ?? "") > (b.metadata.creationTimestamp ?? "");
}

/** One step of a rolling update: the new set grows as far as it may; else the old ones shrink. */
export function rollForward(rollout: Rollout): Action[] {
  const { deployment, newSet, oldSets } = rollout;
  if (newSet === undefined) return [];
  const wanted = replicasOf(deployment);
  const size = replicasOf(newSet) > wanted ? wanted : replicasForNew(rollout);
  const growth = scaleAction(rollout, newSet, size);
  return growth.length > 0 ? growth : shrinkOld(rollout, newSet, oldSets);
}

function shrinkOld(rollout: Rollout, newSet: UnstructuredObject, oldSets: readonly UnstructuredObject[]): Action[] {
  const { deployment } = rollout;
  const minimum = replicasOf(deployment) - tolerances(deployment).unavailable;
  const total = sum(allSets(rollout), replicasOf);
  const newUnavailable = replicasOf(newSet) - servingOf(newSet);
  const room = total - minimum - newUnavailable;
  if (room <= 0) return [];
  const sizes = new Map(oldSets.map((set) => [set, replicasOf(set)]));
  // Pods that serve nobody go first.
  takeFrom(sizes, room, (set, size) => Math.max(size - servingOf(set), 0));
  const available = sum(allSets(rollout), servingOf);
  takeFrom(sizes, Math.max(available - minimum, 0), (_set, size) => size);
  return [...sizes].flatMap(([set, size]) => scaleAction(rollout, set, size));
}

function takeFrom(
  sizes: Map<UnstructuredObject, number>,
  count: number,
  atMost: (set: UnstructuredObject, size: number) => number,
): void {
  let left = count;
  for (const [set, size] of sizes) {
    const taken = Math.min(left, atMost(set, size), size);
    sizes.set(set, size - taken);
    left -= taken;
  }
}
