import { createHash } from "node:crypto";
import { annotations, type KubeObject } from "@landscaper/api";

/** A deploy item: names are used again, uids are not. */
export interface ItemIdentity {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/** The label that every managed object carries, and whose value names the owner (deployers.md §1.2), and what else tells whose it is. */
export interface OwnerLabel {
  readonly key: string;
  readonly value: string;
  /** Decides where the object has the annotation `owned-by`; the label has no namespace. Undefined: the label alone decides. */
  readonly item?: ItemIdentity | undefined;
  /** Whether an object that no item has marked is the item's by another mark, such as that of its Helm release. */
  readonly hasFormerMark?: ((object: KubeObject) => boolean) | undefined;
}

const maxLabelLength = 63;
const hashLength = 8;

/** Value of the owner label for a DeployItem: its name, or its head and a hash where the name is longer than a label may be. */
export function ownerLabelValue(deployItemName: string): string {
  if (deployItemName.length <= maxLabelLength) return deployItemName;
  const hash = createHash("sha256").update(deployItemName).digest("hex").slice(0, hashLength);
  return `${deployItemName.slice(0, maxLabelLength - hashLength - 1)}-${hash}`;
}

/** Annotation of an object that one item took over from another: the former owner, by its label or as NAMESPACE/NAME. */
export const adoptedFromAnnotation = "landscaper.gardener.cloud/adopted-from";

/** Value of the annotation `owned-by`. */
export function ownerMark({ namespace, name, uid }: ItemIdentity): string {
  return `${namespace}/${name}/${uid}`;
}

/** The annotations that mark an object as the owner's. */
export function ownerAnnotations({ item }: OwnerLabel): Readonly<Record<string, string>> | undefined {
  return item === undefined ? undefined : { [annotations.ownedBy]: ownerMark(item) };
}

/** Undefined without a mark; one that cannot be read is none. */
export function readOwnerMark({ metadata }: KubeObject): ItemIdentity | undefined {
  const [namespace = "", name = "", uid = "", ...more] = metadata.annotations?.[annotations.ownedBy]?.split("/") ?? [];
  const isMark = namespace !== "" && name !== "" && uid !== "" && more.length === 0;
  return isMark ? { namespace, name, uid } : undefined;
}

/** Whose an object of the target is. */
export type Ownership =
  /** By the annotation, or by the label where there is no annotation. */
  | { readonly type: "ours" }
  /** Of an item of the same namespace and name with another uid: one that was deleted, or one of another landscaper cluster. */
  | { readonly type: "namesake" }
  /** `by`: the label or annotation that says so. */
  | { readonly type: "other"; readonly owner: string; readonly by: "label" | "annotation" }
  | { readonly type: "unmarked" };

/** The annotation decides. Objects of earlier versions have none: there the label does. */
export function judgeOwnership(object: KubeObject, owner: OwnerLabel): Ownership {
  const mark = owner.item === undefined ? undefined : readOwnerMark(object);
  if (mark !== undefined && owner.item !== undefined) return judgeMark(mark, owner.item);
  const label = object.metadata.labels?.[owner.key];
  if (label === owner.value || owner.hasFormerMark?.(object) === true) return { type: "ours" };
  return label === undefined ? { type: "unmarked" } : { type: "other", owner: label, by: "label" };
}

function judgeMark(mark: ItemIdentity, item: ItemIdentity): Ownership {
  if (mark.namespace !== item.namespace || mark.name !== item.name) {
    const owner = mark.namespace === item.namespace ? mark.name : `${mark.namespace}/${mark.name}`;
    return { type: "other", owner, by: "annotation" };
  }
  return mark.uid === item.uid ? { type: "ours" } : { type: "namesake" };
}

/** With policy `fallback` an object is handed over by its label, whatever else marks it. */
export function bearsLabel({ metadata }: KubeObject, owner: OwnerLabel): boolean {
  return metadata.labels?.[owner.key] === owner.value;
}

/** Whether `object` is surely that of this owner. */
export function isOwnedBy(object: KubeObject, owner: OwnerLabel): boolean {
  return judgeOwnership(object, owner).type === "ours";
}

/** The object without the annotation `owned-by`, which is neither a drift nor a change that anybody has asked for. */
export function withoutOwnerMark<T extends KubeObject>(object: T): T {
  const { annotations: all, ...metadata } = object.metadata;
  if (all?.[annotations.ownedBy] === undefined) return object;
  const { [annotations.ownedBy]: _mark, ...others } = all;
  const rest = Object.keys(others).length === 0 ? {} : { annotations: others };
  return { ...object, metadata: { ...metadata, ...rest } };
}
