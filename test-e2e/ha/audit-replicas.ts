// Who worked on an item, of replicas that share them. Pure.
import { isJobOpen, type DeployItem } from "@landscaper/api";

/** A request about one item that an API server has answered to a replica. */
export interface ItemRequest {
  readonly pod: string;
  readonly item: string;
  readonly isWrite: boolean;
  /** performance.now() of the answer. */
  readonly atMs: number;
}

export interface Death {
  readonly pod: string;
  /** performance.now() when the process was no more. */
  readonly atMs: number;
  /** Items that it had in work. */
  readonly held: ReadonlySet<string>;
}

/** The pod that an item names as its holder; "" for none. */
export const podOf = ({ status }: DeployItem): string => status?.deployer?.identity?.split("/")[1] ?? "";

/**
 * Names of the items whose job a pod left open: the last version under its name has one. From all versions, oldest first; a list
 * right after the pod's end misses what its last requests did.
 */
export function findHeldItems(versions: readonly DeployItem[], pod: string): Set<string> {
  const held = new Set<string>();
  for (const item of versions.filter((each) => podOf(each) === pod)) {
    const { name = "" } = item.metadata;
    if (isJobOpen(item.status)) held.add(name);
    else held.delete(name);
  }
  return held;
}

/** What was not as it has to be, one line each: every item by one replica, those that the dead one held by one other after it. */
export function findSharedWork(requests: readonly ItemRequest[], death: Death): string[] {
  const byItem = new Map<string, ItemRequest[]>();
  for (const request of requests) byItem.set(request.item, [...(byItem.get(request.item) ?? []), request]);
  return [...byItem].flatMap(([item, own]) => {
    const pods = new Set(own.map(({ pod }) => pod));
    const others = own.filter(({ pod }) => pod !== death.pod);
    const faults: string[] = [];
    if (new Set(others.map(({ pod }) => pod)).size > 1)
      faults.push(`${item} was worked on by ${[...pods].join(" and ")}`);
    const early = others.find(({ atMs }) => atMs <= death.atMs);
    if (pods.has(death.pod) && early !== undefined)
      faults.push(`${early.pod} worked on ${item} while ${death.pod} lived`);
    if (pods.has(death.pod) && others.length > 0 && !death.held.has(item)) {
      faults.push(`${item} ran again although ${death.pod} did not hold it`);
    }
    return faults;
  });
}
