import { childName, LandscaperError, type DeployItem, type Execution, type ExecutionStatus } from "@landscaper/api";
import { nameOf, uidOf } from "../object-reading.ts";
import { itemNameOf } from "./deploy-item-identity.ts";

/** Names of the DeployItems of an Execution, as its status notes them. */
export type NotedItems = NonNullable<ExecutionStatus["deployItemCache"]>;

/** An item with several DeployItems, of which the core must take over one. */
export interface AmbiguousItem {
  readonly item: string;
  /** Names of the DeployItems, sorted. */
  readonly objects: readonly string[];
}

export interface IdentifiedItems {
  /** The DeployItems of the Execution, sorted by item name. */
  readonly items: readonly DeployItem[];
  readonly ambiguous: readonly AmbiguousItem[];
}

/** Returns the name of the DeployItem that the core creates for an item. */
export function deployItemName(execution: Execution, item: string): string {
  return childName(`${nameOf(execution)}-${item}-`, uidOf(execution), item);
}

/** Returns true if another core has worked on the Execution and this core has not noted its items yet. */
function isTakenOver({ status }: Execution): boolean {
  const hasWorked = (status?.phase ?? "") !== "" || status?.jobIDFinished !== undefined;
  return hasWorked && status?.deployItemCache === undefined;
}

function isNoted(noted: NotedItems | undefined, deployItem: DeployItem): boolean {
  const name = nameOf(deployItem);
  if (noted?.orphanedDIs?.includes(name) === true) return true;
  const item = itemNameOf(deployItem);
  // A noted object without its label is accepted: the next job restores the label.
  return noted?.activeDIs?.some((each) => each.objectName === name && ["", each.specName].includes(item)) === true;
}

function groupByItem(deployItems: readonly DeployItem[]): ReadonlyMap<string, readonly DeployItem[]> {
  const groups = new Map<string, readonly DeployItem[]>();
  for (const each of deployItems) groups.set(itemNameOf(each), [...(groups.get(itemNameOf(each)) ?? []), each]);
  return groups;
}

const byItemName = (a: DeployItem, b: DeployItem): number => (itemNameOf(a) < itemNameOf(b) ? -1 : 1);

/**
 * Identifies the DeployItems of an Execution among those that name it as their controller. Any account with write access can forge labels and owner
 * references. A DeployItem is therefore accepted only if the core generated its name (`deployItemName`), or if the status of the Execution notes it.
 * If another core has worked on the Execution and noted nothing, the only claimant of an item is taken over; several claimants are ambiguous. Pure.
 */
export function identifyDeployItems(execution: Execution, claimants: readonly DeployItem[]): IdentifiedItems {
  const noted = execution.status?.deployItemCache;
  const isKnown = (each: DeployItem): boolean =>
    nameOf(each) === deployItemName(execution, itemNameOf(each)) || isNoted(noted, each);
  const known = claimants.filter(isKnown);
  if (!isTakenOver(execution)) return { items: known.toSorted(byItemName), ambiguous: [] };
  const knownNames = new Set(known.map(itemNameOf));
  const unknown = claimants.filter((each) => !isKnown(each) && !knownNames.has(itemNameOf(each)));
  const groups = [...groupByItem(unknown)];
  const ambiguous = groups
    .filter(([, group]) => group.length > 1)
    .map(([item, group]) => ({ item, objects: group.map(nameOf).toSorted() }));
  const taken = groups.flatMap(([, group]) => (group.length === 1 ? group : []));
  return { items: [...known, ...taken].toSorted(byItemName), ambiguous };
}

/** Returns the names to note in the status. `items` are the names of the items in the spec. Pure. */
export function noteDeployItems(deployItems: readonly DeployItem[], items: ReadonlySet<string>): NotedItems {
  const active = deployItems.filter((each) => items.has(itemNameOf(each)));
  return {
    activeDIs: active.map((each) => ({ specName: itemNameOf(each), objectName: nameOf(each) })),
    orphanedDIs: deployItems.filter((each) => !active.includes(each)).map(nameOf),
  };
}

/** Returns the error of a job whose Execution has ambiguous items; undefined without one. Pure. */
export function ambiguityError(ambiguous: readonly AmbiguousItem[]): LandscaperError | undefined {
  const [first] = ambiguous;
  if (first === undefined) return undefined;
  return new LandscaperError({
    message: `deploy item "${first.item}": expected one DeployItem to take over, found ${first.objects.join(" and ")}`,
    reason: "DeployItemAmbiguous",
    operation: "DeployItems",
    hint: "find out which of them the previous core created, delete the others, and trigger the Installation again",
    retry: "never",
  });
}
