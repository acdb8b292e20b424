import { annotations, LandscaperError } from "@landscaper/api";
import type { ForeignOwner, ItemIdentity, OwnerLabel, OwnerMark } from "./owner-label.ts";

/** Result of a live GET of the DeployItem that a mark names, in the landscaper cluster of the item that asks. "gone": there is none, or one with another uid. */
export type OwnerState =
  | { readonly type: "gone" }
  | { readonly type: "exists" }
  | { readonly type: "deleting" }
  /** `why`: the failure, in words. `isForbidden`: the deployer has no right to look. */
  | { readonly type: "unknown"; readonly why: string; readonly isForbidden: boolean };

/** How an item takes over what others have left. */
export interface TakeOver {
  /** Value of the item's annotation `take-over-from`. */
  readonly from: string | undefined;
  /** Never throws, except for an abort. */
  readonly stateOf: (owner: ItemIdentity) => Promise<OwnerState>;
  /** Called when something was taken over: the object and its former owner, in words. Undefined: no item had marked it. */
  readonly onTaken: (object: string, owner: string | undefined) => void;
}

/** What is to be done with an object that another item has marked. */
export type TakeOverDecision =
  | { readonly type: "take" }
  /** `why` continues the name of the owner. */
  | { readonly type: "wait"; readonly why: string; readonly hint: string }
  /** `value`: what `take-over-from` must have; undefined: it does not help. */
  | { readonly type: "refuse"; readonly value?: string | undefined };

export interface TakeOverInput {
  readonly mark: OwnerMark;
  readonly owner: OwnerLabel;
  readonly from: string | undefined;
  readonly state: OwnerState;
}

/** The table of docs/reference/objects-on-targets.md#ownership. Pure. */
export function decideTakeOver({ mark, owner, from, state }: TakeOverInput): TakeOverDecision {
  if (state.type === "exists") return { type: "refuse" };
  const isOfHub = mark.hub !== undefined && mark.hub === owner.hub;
  const isOfNamespace = isOfHub && mark.namespace === owner.item?.namespace;
  if (!isOfNamespace && !isNamed(mark, from)) return { type: "refuse", value: takeOverValueOf(mark) };
  switch (state.type) {
    case "gone":
      return { type: "take" };
    case "deleting":
      return { type: "wait", why: "is being deleted", hint: "the job continues when it is gone" };
    case "unknown": {
      // A deployer that may only read some namespaces cannot rule out that the owner is here. The mark says that it is not.
      const isElsewhere = mark.hub !== undefined && owner.hub !== undefined && !isOfHub;
      if (isElsewhere && state.isForbidden) return { type: "take" };
      const hint = state.isForbidden ? "grant the deployer the right to get DeployItems there" : "the job tries again";
      return { type: "wait", why: `cannot be looked up: ${state.why}`, hint };
    }
  }
}

/** What a job does with something that another item has marked. Without `takeOver` it is refused. */
export async function judgeTakeOver(
  { mark }: ForeignOwner,
  owner: OwnerLabel,
  takeOver: TakeOver | undefined,
): Promise<TakeOverDecision> {
  if (mark === undefined || takeOver === undefined) return { type: "refuse" };
  return decideTakeOver({ mark, owner, from: takeOver.from, state: await takeOver.stateOf(mark) });
}

export interface OwnedByOther {
  /** What belongs to whom, and by which mark. */
  readonly message: string;
  readonly decision: Exclude<TakeOverDecision, { readonly type: "take" }>;
  /** What helps if `take-over-from` does not. */
  readonly hint: string;
}

/** The error of a job that may not have something (TargetOwnedByOther). The owner may give it up, so the job tries again. */
export function ownedByOther({ message, decision, hint }: OwnedByOther): LandscaperError {
  const reason = "TargetOwnedByOther";
  if (decision.type === "wait") {
    return new LandscaperError({ message: `${message}; the deploy item ${decision.why}`, reason, hint: decision.hint });
  }
  return new LandscaperError({
    message,
    reason,
    hint: decision.value === undefined ? hint : takeOverHint(decision.value),
  });
}

/** The narrowest value of `take-over-from` that names the owner. */
function takeOverValueOf({ hub, namespace, name }: OwnerMark): string {
  return hub === undefined ? `${namespace}/${name}` : `${hub}/${namespace}`;
}

function isNamed(mark: OwnerMark, from = ""): boolean {
  const values = new Set(from.split(",").map((value) => value.trim()));
  return values.has(takeOverValueOf(mark)) || (mark.hub !== undefined && values.has(mark.hub));
}

function takeOverHint(value: string): string {
  return `if its former owner no longer exists, set the annotation ${annotations.takeOverFrom}: "${value}" on the Installation (or on the DeployItem, if it has no Installation), and trigger a new job`;
}
