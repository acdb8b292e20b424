import { createHash } from "node:crypto";
import type { KubeObject } from "@landscaper/api";

/** The label that every managed object carries, and whose value tells the owner (deployers.md §1.2). */
export interface OwnerLabel {
  readonly key: string;
  readonly value: string;
}

const maxLabelLength = 63;
const hashLength = 8;

/** Value of the owner label for a DeployItem: its name, or its head and a hash where the name is longer than a label may be. */
export function ownerLabelValue(deployItemName: string): string {
  if (deployItemName.length <= maxLabelLength) return deployItemName;
  const hash = createHash("sha256").update(deployItemName).digest("hex").slice(0, hashLength);
  return `${deployItemName.slice(0, maxLabelLength - hashLength - 1)}-${hash}`;
}

/** Annotation of an object that one item took over from another: the label value of the former owner. */
export const adoptedFromAnnotation = "landscaper.gardener.cloud/adopted-from";

/** The owner that the label of `object` names; undefined when it has none. */
export function ownerOf(object: KubeObject, owner: OwnerLabel): string | undefined {
  return object.metadata.labels?.[owner.key];
}

/** Whether `object` bears the label of this owner. */
export function isOwnedBy(object: KubeObject, owner: OwnerLabel): boolean {
  return object.metadata.labels?.[owner.key] === owner.value;
}
