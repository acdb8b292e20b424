import { kubeResources, type ObjectMeta, type ResourceType } from "@landscaper/api";
import { containerLabels, labelValue, secretTypes } from "../contract/labels.ts";
import { hostKinds } from "../deployer/host/host-objects.ts";

/** An object of the namespace for Pods, as a list returns it. */
export interface ListedObject {
  readonly kind: string;
  readonly metadata: ObjectMeta;
}

export interface CleanupScope {
  /** Identity of the deployer that is uninstalled. */
  readonly deployerId: string;
  /** Whether the states of programs stay, for a deployer that is installed later under the same identity. */
  readonly keepsState: boolean;
}

/** What one pass of the cleanup does with the objects of the deployer. */
export interface CleanupDecision<T extends ListedObject> {
  /** Pods to end. */
  readonly pods: readonly T[];
  /** Objects to delete: their items have no Pods. */
  readonly removals: readonly T[];
  /** Objects of items with Pods: a Pod that ends may still write state and exports. */
  readonly held: readonly T[];
  /** States that stay. */
  readonly kept: readonly T[];
}

/** Kinds of which the deployer creates objects. Objects of other kinds are never touched, whatever labels they have. */
export const ownTypes: readonly ResourceType[] = [kubeResources.pod, ...hostKinds];

const ownKinds: ReadonlySet<string> = new Set(ownTypes.map(({ kind }) => kind));

const stateTypes: ReadonlySet<string | undefined> = new Set([secretTypes.state, secretTypes.stateIndex]);

/** Decides which of the listed objects the uninstall of a deployer removes now, and which later. Pure. */
export function decideCleanup<T extends ListedObject>(listed: readonly T[], scope: CleanupScope): CleanupDecision<T> {
  const own = listed.filter((object) => isOwn(object, scope.deployerId));
  const pods = own.filter(isPod);
  const withPods = new Set(pods.map(itemOf));
  const rest = own.filter((object) => !isPod(object));
  const isKept = (object: T): boolean => scope.keepsState && isState(object);
  const others = rest.filter((object) => !isKept(object));
  return {
    pods,
    removals: others.filter((object) => !withPods.has(itemOf(object))),
    held: others.filter((object) => withPods.has(itemOf(object))),
    kept: rest.filter(isKept),
  };
}

/** The deployer writes its identity and the item on each object. An object with the identity alone has another author. */
function isOwn({ kind, metadata: { labels = {} } }: ListedObject, deployerId: string): boolean {
  return (
    ownKinds.has(kind) &&
    labels[containerLabels.deployerId] === labelValue(deployerId) &&
    isSet(labels[containerLabels.itemName]) &&
    isSet(labels[containerLabels.itemNamespace])
  );
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== "";
}

function isPod({ kind }: ListedObject): boolean {
  return kind === kubeResources.pod.kind;
}

function isState({ kind, metadata }: ListedObject): boolean {
  return kind === kubeResources.secret.kind && stateTypes.has(metadata.labels?.[containerLabels.type]);
}

/** Objects of the original have no uid: their item is known by its name. */
function itemOf({ metadata: { labels = {} } }: ListedObject): string {
  return [containerLabels.itemNamespace, containerLabels.itemName, containerLabels.uid]
    .map((label) => labels[label] ?? "")
    .join("/");
}
