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
  /** Id of the item's landscaper cluster, for the annotation `owned-by-hub`. Undefined: the core has not written it to the item. */
  readonly hub?: string | undefined;
  /** INSTALLATION/ITEM, for the annotation `owned-by-item`. */
  readonly title?: string | undefined;
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

/** Value of the annotation `adopted-from`. */
export function adoptedFrom({ mark, owner }: Pick<ForeignOwner, "mark" | "owner">, { item }: OwnerLabel): string {
  return mark === undefined ? owner : keyFrom(mark, item);
}

/** Without the namespace if that is the item's own. */
function keyFrom({ namespace, name }: ItemIdentity, item: ItemIdentity | undefined): string {
  return namespace === item?.namespace && name !== item.name ? name : `${namespace}/${name}`;
}

/** Value of the annotation `owned-by`. */
function ownerMark({ namespace, name, uid }: ItemIdentity): string {
  return `${namespace}/${name}/${uid}`;
}

/** The annotations that mark an object as the owner's. */
export function ownerAnnotations({ item, hub, title }: OwnerLabel): Readonly<Record<string, string>> | undefined {
  if (item === undefined) return undefined;
  return {
    [annotations.ownedBy]: ownerMark(item),
    ...(hub === undefined ? {} : { [annotations.ownedByHub]: hub }),
    ...(title === undefined ? {} : { [annotations.ownedByItem]: title }),
  };
}

/** The annotations that `ownerAnnotations` can have. */
export const ownerAnnotationKeys: readonly string[] = [
  annotations.ownedBy,
  annotations.ownedByHub,
  annotations.ownedByItem,
];

/** What an object says of its owner. It may be forged, and grants no rights. */
export interface OwnerMark extends ItemIdentity {
  /** Undefined: an earlier release has written the mark. */
  readonly hub?: string | undefined;
  readonly title?: string | undefined;
}

/** The parts of marks are names, because messages quote them; so is the id of a landscaper cluster. */
export const namePattern = /^(?!\.{1,2}$)[\w.-]{1,253}$/;
const titlePattern = /^[\w.-]{1,253}\/[\w.-]{1,253}$/;

/** Undefined without a mark; one that cannot be read is none. */
export function readOwnerMark({ metadata }: KubeObject): OwnerMark | undefined {
  const { annotations: all = {} } = metadata;
  const [namespace = "", name = "", uid = "", ...more] = all[annotations.ownedBy]?.split("/") ?? [];
  const isMark = [namespace, name, uid].every((part) => namePattern.test(part)) && more.length === 0;
  if (!isMark) return undefined;
  const { [annotations.ownedByHub]: hub = "", [annotations.ownedByItem]: title = "" } = all;
  return {
    namespace,
    name,
    uid,
    ...(namePattern.test(hub) ? { hub } : {}),
    ...(titlePattern.test(title) ? { title } : {}),
  };
}

/** Whose an object of the target is. */
export type Ownership =
  /** By the annotation, or by the label where there is no annotation. */
  | { readonly type: "ours" }
  /** `owner` is text for messages. `by`: the label or annotation that says so. `mark`: what the annotations say. */
  | {
      readonly type: "other";
      readonly owner: string;
      readonly by: "label" | "annotation";
      readonly mark?: OwnerMark | undefined;
    }
  | { readonly type: "unmarked" };

export type ForeignOwner = Omit<Extract<Ownership, { readonly type: "other" }>, "type">;

/** The annotation decides. Objects of earlier versions have none: there the label does. */
export function judgeOwnership(object: KubeObject, owner: OwnerLabel): Ownership {
  const mark = owner.item === undefined ? undefined : readOwnerMark(object);
  if (mark !== undefined && owner.item !== undefined) return judgeMark(mark, owner.item, owner.hub);
  const label = object.metadata.labels?.[owner.key];
  if (label === owner.value || owner.hasFormerMark?.(object) === true) return { type: "ours" };
  return label === undefined ? { type: "unmarked" } : { type: "other", owner: label, by: "label" };
}

function judgeMark(mark: OwnerMark, item: ItemIdentity, hub: string | undefined): Ownership {
  if (isNamesake(mark, item) && mark.uid === item.uid) return { type: "ours" };
  return { type: "other", owner: describeOwner(mark, item, hub), by: "annotation", mark };
}

/** Whether an item is of the same namespace and name: an earlier one, the same, or one of another landscaper cluster. */
export function isNamesake(mark: ItemIdentity, item: ItemIdentity): boolean {
  return mark.namespace === item.namespace && mark.name === item.name;
}

function describeOwner(mark: OwnerMark, item: ItemIdentity, ours: string | undefined): string {
  const { hub, title } = mark;
  const isForeign = hub !== undefined && hub !== ours;
  return [
    isForeign ? `${mark.namespace}/${mark.name}` : keyFrom(mark, item),
    ...(title === undefined ? [] : [`(${title})`]),
    ...(isForeign ? [`of landscaper cluster ${hub}`] : []),
  ].join(" ");
}

/** With policy `fallback` an object is handed over by its label, whatever else marks it. */
export function bearsLabel({ metadata }: KubeObject, owner: OwnerLabel): boolean {
  return metadata.labels?.[owner.key] === owner.value;
}

/** Whether `object` is surely that of this owner. */
export function isOwnedBy(object: KubeObject, owner: OwnerLabel): boolean {
  return judgeOwnership(object, owner).type === "ours";
}

/** The object without the annotations of its owner, which are neither a drift nor a requested change. */
export function withoutOwnerMark<T extends KubeObject>(object: T): T {
  const { annotations: all, ...metadata } = object.metadata;
  if (all === undefined || ownerAnnotationKeys.every((key) => all[key] === undefined)) return object;
  const others = Object.entries(all).filter(([key]) => !ownerAnnotationKeys.includes(key));
  const rest = others.length === 0 ? {} : { annotations: Object.fromEntries(others) };
  return { ...object, metadata: { ...metadata, ...rest } };
}
