import { deployerApiVersion, nameSuffix, type ObjectMeta } from "@landscaper/api";

const group = deployerApiVersion("container").replace(/\/.*$/, "");
const itemGroup = `deployitem.${group}`;

/** Labels of everything that the deployer makes in its host cluster (docs/reference/container-deployer.md#objects-in-the-host-cluster). */
export const containerLabels = {
  /** Identity of the deployer. */
  deployerId: `${group}/deployer-id`,
  /** Name of the item. */
  name: `${group}/name`,
  /** uid of the item: names are used again, and several landscaper clusters may share a host. Ours, not the original's. */
  uid: `${group}/uid`,
  /** What a Secret is for: one of `secretTypes`. */
  type: `${group}/type`,
  itemName: `${itemGroup}/name`,
  itemNamespace: `${itemGroup}/namespace`,
  /** Pods: generation of the item. */
  itemGeneration: `${itemGroup}/generation`,
} as const;

/** Values of the label `type`. */
export const secretTypes = {
  configuration: "configuration",
  target: "target",
  pullSecret: "registry-pull-secret",
  state: "state",
  stateIndex: "state-index",
  export: "export",
  lastSuccess: "last-success",
} as const;

export const containerAnnotations = {
  /** State: the generation that the part belongs to. */
  stateUuid: `${group}/uuid`,
  /** State: number of the part, from 0. */
  stateNumber: `${group}/num`,
  /** State: sha256 of the part in hex. Ours, not the original's. */
  stateSha256: `${group}/sha256`,
  /** Export: name of the Pod whose program has exported it. Ours, not the original's. */
  job: `${group}/job`,
} as const;

/** On Pods, until their results are taken over. */
export const podFinalizer = `${group}/finalizer`;
/** Scheduling gate of Pods that are not recorded in the status of their item yet. */
export const recordedGate = `${group}/recorded`;

const maxLabelLength = 63;

/** A name as the value of a label: names that are longer than a label may be are cut, and get 8 characters that follow from the whole. */
export function labelValue(name: string): string {
  if (name.length <= maxLabelLength) return name;
  return `${name.slice(0, maxLabelLength - 9).replace(/[-._]+$/, "")}-${nameSuffix(name)}`;
}

/** The item that an object is for. */
export interface ItemIdentity {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/** The labels that every object of an item has. */
export function itemLabels({ namespace, name, uid }: ItemIdentity, deployerId: string): Record<string, string> {
  return {
    [containerLabels.deployerId]: labelValue(deployerId),
    [containerLabels.name]: labelValue(name),
    [containerLabels.uid]: uid,
    [containerLabels.itemName]: labelValue(name),
    [containerLabels.itemNamespace]: namespace,
  };
}

/** Whether an object of the host is the item's. */
export function isOfItem(labels: Readonly<Record<string, string>> | undefined, item: ItemIdentity): boolean {
  return labels?.[containerLabels.uid] === item.uid && labels[containerLabels.itemNamespace] === item.namespace;
}

/** The item of an object of the host, as its labels have it: a long name is cut. */
export function ownerOf({ labels = {} }: ObjectMeta): ItemIdentity {
  return {
    uid: labels[containerLabels.uid] ?? "",
    name: labels[containerLabels.itemName] ?? "",
    namespace: labels[containerLabels.itemNamespace] ?? "",
  };
}
