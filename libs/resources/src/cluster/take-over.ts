import { annotations } from "@landscaper/api";
import { isNamesake, type ItemIdentity, type OwnerLabel, type OwnerMark } from "./owner-label.ts";

/** What a live GET of the DeployItem of a mark has led to. "gone": there is none, or one with another uid. */
export type OwnerState =
  | { readonly type: "gone" }
  | { readonly type: "exists" }
  | { readonly type: "deleting" }
  /** `why`: the failure, in words. */
  | { readonly type: "unknown"; readonly why: string };

/** How an item takes over what others have left. */
export interface TakeOver {
  /** Value of the item's annotation `take-over-from`. */
  readonly from: string | undefined;
  /** Asks the landscaper cluster of the item. Never throws, except for an abort. */
  readonly stateOf: (owner: ItemIdentity) => Promise<OwnerState>;
  /** Called when something was taken over: the object and its former owner, in words. Undefined: no item had marked it. */
  readonly onTaken: (object: string, owner: string | undefined) => void;
}

/** What is to be done with an object that another item has marked. */
export type TakeOverDecision =
  | { readonly type: "take" }
  /** The owner may give the object up. `why` continues the name of the owner. */
  | { readonly type: "wait"; readonly why: string }
  /** `value`: what `take-over-from` must have; undefined: it does not help. */
  | { readonly type: "refuse"; readonly value?: string | undefined };

export interface TakeOverInput {
  readonly mark: OwnerMark;
  readonly owner: OwnerLabel;
  readonly from: string | undefined;
  /** Of the owner that the mark names, on the landscaper cluster of the item. */
  readonly state: OwnerState;
}

/** The table of docs/reference/objects-on-targets.md#whose-an-object-is. Pure. */
export function decideTakeOver({ mark, owner, from, state }: TakeOverInput): TakeOverDecision {
  const value = switchOf(mark);
  const isNamed = names(from, mark);
  if (isOfOtherHub(mark, owner)) return isNamed ? { type: "take" } : { type: "refuse", value };
  if (state.type === "exists") return { type: "refuse" };
  const isOfHub = mark.hub !== undefined && mark.hub === owner.hub;
  if (!isNamed && !(isOfHub && mark.namespace === owner.item?.namespace)) return { type: "refuse", value };
  switch (state.type) {
    case "gone":
      return { type: "take" };
    case "deleting":
      return { type: "wait", why: "is being deleted" };
    case "unknown":
      // Without an id the owner may be on a cluster that cannot be asked: then the switch decides.
      return isOfHub ? { type: "wait", why: `cannot be looked up: ${state.why}` } : { type: "take" };
  }
}

/** Whether the landscaper cluster of the item knows nothing of the owner. */
function isOfOtherHub({ hub }: OwnerMark, owner: OwnerLabel): boolean {
  return hub !== undefined && hub !== owner.hub;
}

/** Asks for what `decideTakeOver` needs. An item that has our name is not there any more: we are. */
export async function findOwnerState(mark: OwnerMark, owner: OwnerLabel, takeOver: TakeOver): Promise<OwnerState> {
  const isKnown = isOfOtherHub(mark, owner) || owner.item === undefined || isNamesake(mark, owner.item);
  return isKnown ? { type: "gone" } : await takeOver.stateOf(mark);
}

/** The narrowest value of `take-over-from` that names the owner. */
function switchOf({ hub, namespace, name }: OwnerMark): string {
  return hub === undefined ? `${namespace}/${name}` : `${hub}/${namespace}`;
}

function names(from: string | undefined, mark: OwnerMark): boolean {
  const values = new Set((from ?? "").split(",").map((value) => value.trim()));
  return values.has(switchOf(mark)) || (mark.hub !== undefined && values.has(mark.hub));
}

/** What an owner is told to do who may take the object over. */
export function takeOverHint(value: string): string {
  return `if nobody else manages it any more, set the annotation ${annotations.takeOverFrom}: "${value}" on the Installation, or on a deploy item that has none`;
}
