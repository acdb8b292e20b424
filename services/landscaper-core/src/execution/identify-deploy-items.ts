import {
  childName,
  decodeDeployItems,
  labels,
  LandscaperError,
  type DeployItem,
  type Execution,
  type ExecutionStatus,
} from "@landscaper/api";
import { nameOf, uidOf } from "../object-reading.ts";
import { itemNameOf } from "./deploy-item-identity.ts";

/** Names of the DeployItems of an Execution, as its status notes them. */
export type NotedItems = NonNullable<ExecutionStatus["deployItemCache"]>;

/** An item with several DeployItems of which one has to be taken over. */
export interface AmbiguousItem {
  readonly item: string;
  /** Names of the DeployItems, sorted. */
  readonly objects: readonly string[];
}

export interface IdentifiedItems {
  /**
   * The DeployItems of the Execution, sorted by item name, at most one for each item. Their label has the item name, whatever the stored label says;
   * orphans that only the status notes have no label.
   */
  readonly items: readonly DeployItem[];
  readonly ambiguous: readonly AmbiguousItem[];
  /** Names of the DeployItems whose stored label differs. */
  readonly mislabelled: ReadonlySet<string>;
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

/** Returns the names of the items of the spec; none if the spec is unreadable: then nothing is deployed, and deletions need no names. */
function itemsOfSpec({ spec }: Execution): readonly string[] {
  try {
    return decodeDeployItems(spec).map(({ name }) => name);
  } catch (error) {
    if (!(error instanceof LandscaperError)) throw error;
    return [];
  }
}

/** Returns the item of each DeployItem by the DeployItem's name: what the status notes, then the names that the core gives. */
function knownNames(execution: Execution, claimants: readonly DeployItem[]): ReadonlyMap<string, string> {
  const noted = execution.status?.deployItemCache;
  const active = new Map((noted?.activeDIs ?? []).map(({ objectName = "", specName = "" }) => [objectName, specName]));
  // The usual case. Every pass comes here, and the spec is compressed.
  if (claimants.every((each) => active.has(nameOf(each)))) return active;
  // Without a note, an orphan of an earlier release is known by its label and its name, which have to agree.
  const ofLabels = noted === undefined ? claimants.map(itemNameOf).filter((item) => item !== "") : [];
  const known = new Map((noted?.orphanedDIs ?? []).map((name) => [name, ""]));
  for (const item of [...itemsOfSpec(execution), ...ofLabels]) known.set(deployItemName(execution, item), item);
  return new Map([...known, ...active]);
}

/** Returns the DeployItem with the item name as its label. */
function labelled(deployItem: DeployItem, item: string): DeployItem {
  if (itemNameOf(deployItem) === item) return deployItem;
  const { [labels.managedName]: _, ...others } = deployItem.metadata.labels ?? {};
  const own = item === "" ? others : { ...others, [labels.managedName]: item };
  return { ...deployItem, metadata: { ...deployItem.metadata, labels: own } };
}

const byItemName = (a: DeployItem, b: DeployItem): number => {
  if (itemNameOf(a) !== itemNameOf(b)) return itemNameOf(a) < itemNameOf(b) ? -1 : 1;
  return nameOf(a) < nameOf(b) ? -1 : 1;
};

/** Keeps one DeployItem for each item: the noted one before the one with the name that the core gives. */
function withoutTwins(execution: Execution, deployItems: readonly DeployItem[]): readonly DeployItem[] {
  const noted = new Map(
    (execution.status?.deployItemCache?.activeDIs ?? []).map((each) => [each.specName, each.objectName]),
  );
  const present = new Set(deployItems.map(nameOf));
  return deployItems.filter((each) => {
    const first = noted.get(itemNameOf(each));
    return itemNameOf(each) === "" || first === undefined || first === nameOf(each) || !present.has(first);
  });
}

/**
 * Identifies the DeployItems of an Execution among those that name it as their controller. Labels and owner references are claims that others can
 * write, so the name of a DeployItem decides: the status of the Execution notes it, or it is the name that the core gives (`deployItemName`) to an item
 * of the spec. If another core has made the Execution and noted nothing, the only claimant of an item is taken over; several claimants are ambiguous.
 * Pure. Source: docs/reference/deployer-management.md#the-deployitems-of-an-execution
 */
export function identifyDeployItems(execution: Execution, claimants: readonly DeployItem[]): IdentifiedItems {
  const known = knownNames(execution, claimants);
  const found = claimants.flatMap((each) => {
    const item = known.get(nameOf(each));
    return item === undefined ? [] : [labelled(each, item)];
  });
  const own = withoutTwins(execution, found);
  const taken = isTakenOver(execution) ? takeOver(execution, { own, claimants }) : { items: [], ambiguous: [] };
  const items = [...own, ...taken.items].toSorted(byItemName);
  const stored = new Map(claimants.map((each) => [nameOf(each), itemNameOf(each)]));
  const mislabelled = new Set(items.filter((each) => stored.get(nameOf(each)) !== itemNameOf(each)).map(nameOf));
  return { items, ambiguous: taken.ambiguous, mislabelled };
}

function groupByItem(deployItems: readonly DeployItem[]): ReadonlyMap<string, readonly DeployItem[]> {
  const groups = new Map<string, readonly DeployItem[]>();
  for (const each of deployItems) groups.set(itemNameOf(each), [...(groups.get(itemNameOf(each)) ?? []), each]);
  return groups;
}

interface Candidates {
  readonly own: readonly DeployItem[];
  readonly claimants: readonly DeployItem[];
}

/** Takes over the claimants of items that have no DeployItem yet. Claimants of no item of the spec are orphans: the job deletes them. */
function takeOver(execution: Execution, { own, claimants }: Candidates): Pick<IdentifiedItems, "items" | "ambiguous"> {
  const ownNames = new Set(own.map(nameOf));
  const ownItems = new Set(own.map(itemNameOf));
  const others = claimants.filter((each) => !ownNames.has(nameOf(each)) && !ownItems.has(itemNameOf(each)));
  const wanted = new Set(itemsOfSpec(execution));
  const groups = groupByItem(others);
  const isAmbiguous = ([item, group]: readonly [string, readonly DeployItem[]]): boolean =>
    group.length > 1 && wanted.has(item);
  return {
    items: [...groups].filter((entry) => !isAmbiguous(entry)).flatMap(([, group]) => group),
    ambiguous: [...groups]
      .filter(isAmbiguous)
      .map(([item, group]) => ({ item, objects: group.map(nameOf).toSorted() })),
  };
}

/**
 * Returns what the status notes: each DeployItem with its item, those that the job deletes included. An item that returns to the spec is known by its name
 * then. Orphans are DeployItems that another core has noted without an item. Pure.
 */
export function noteDeployItems(deployItems: readonly DeployItem[]): NotedItems {
  const isOrphan = (each: DeployItem): boolean => itemNameOf(each) === "";
  const active = deployItems.filter((each) => !isOrphan(each)).toSorted(byItemName);
  return {
    activeDIs: active.map((each) => ({ specName: itemNameOf(each), objectName: nameOf(each) })),
    orphanedDIs: deployItems.filter(isOrphan).map(nameOf).toSorted(),
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
    hint: "find out which of them the previous core has made, delete the others, and trigger the Installation again",
    retry: "never",
  });
}
