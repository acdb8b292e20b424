import type { DeployItem } from "@landscaper/api";
import { isRepetitionOpen } from "../continuous/decide-continuous.ts";
import { isPickedUp } from "../jobs/decide-job.ts";
import { isPlanAnswered, isPlanLeft } from "../preview/decide-preview.ts";
import { ownerOfItem } from "./item-owner.ts";

/** Whether this process works on an item. */
export type Claim =
  /** It does, or may start to: the guarded write of the pickup decides. */
  | { readonly type: "ours" }
  /** Another process does, or is to. `holder`: a deployer of another instance that has it in work. */
  | { readonly type: "theirs"; readonly holder?: string }
  /** The holder has no Lease and may be alive: to be decided again after so long (ms), unless its status is written before. */
  | { readonly type: "wait"; readonly holder: string; readonly leftMs: number }
  /** The holder that had it in work is gone, and this process follows: it has to say so first. */
  | { readonly type: "orphaned"; readonly holder: string };

/** What the Leases on the landscaper cluster say of a holder. */
export type HolderState =
  | "live"
  /** Its Lease was given up or has expired. */
  | "ended"
  /** It has no Lease: a deployer of another implementation, or of a version without Leases; or one that ended long ago. */
  | "unknown";

/** What a process knows of itself and the others. */
export interface ClaimView {
  /** Of all replicas of this instance. */
  readonly identity: string;
  /** This process. */
  readonly pod: string;
  /** Replicas that are alive, this one included; undefined = not known yet. */
  readonly members: readonly string[] | undefined;
  readonly stateOf: (holder: string) => HolderState;
  /** How long (ms) the status of an item was seen without a change. */
  readonly silentMs: (item: DeployItem) => number;
  readonly leaseDurationMs: number;
}

/** `status.deployer.identity` of what a process works on. */
export function replicaIdentity(identity: string, pod: string): string {
  return `${identity}/${pod}`;
}

/** Whether a `status.deployer.identity` is that of a replica of this instance, or of the instance as a whole. */
export function isOfInstance(holder: string, identity: string): boolean {
  return holder === identity || holder.startsWith(replicaIdentity(identity, ""));
}

/**
 * Who works on an item, by rows; the first that fits counts. Pure.
 *
 * | in work | holder (`status.deployer.identity`) | then |
 * |---|---|---|
 * | yes | this process | ours: also after a restart |
 * | any | any, and the Leases are not known yet | theirs |
 * | yes | has a live Lease | theirs: this process steps back if the holder is of another instance |
 * | any | any, and another live replica of this instance owns the item | theirs |
 * | no, and its request for a plan is answered | a live deployer of another instance, which has written within the last Lease duration | wait: it removes the request, or answers it anew |
 * | no | any | ours |
 * | yes | its Lease has ended, or it is this instance without the name of a pod | orphaned |
 * | yes | has no Lease, and has written the status within the last Lease duration | wait |
 * | yes | has no Lease otherwise | orphaned |
 *
 * Replicas of one instance share what is not in work by rendezvous hashing (`ownerOfItem`). Processes may see different Leases for a
 * moment, and instances with overlapping selectors do not know of each other's: then one guarded write wins, and the others lose theirs.
 */
export function decideClaim(item: DeployItem, view: ClaimView): Claim {
  const { identity, pod, members, leaseDurationMs } = view;
  const holder = isInWork(item) ? (item.status?.deployer?.identity ?? "") : undefined;
  if (holder === replicaIdentity(identity, pod)) return { type: "ours" };
  if (members === undefined) return { type: "theirs" };
  const state = holder === undefined || holder === identity ? "ended" : view.stateOf(holder);
  if (holder !== undefined && state === "live") {
    return isOfInstance(holder, identity) ? { type: "theirs" } : { type: "theirs", holder };
  }
  if (ownerOfItem(item.metadata.uid ?? "", members) !== pod) return { type: "theirs" };
  if (holder === undefined) return claimAnswered(item, view);
  const leftMs = state === "unknown" ? leaseDurationMs - view.silentMs(item) : 0;
  return leftMs > 0 ? { type: "wait", holder, leftMs } : { type: "orphaned", holder };
}

/** A deployer that has answered a request for a plan removes it next: until then the request looks like a new one. */
function claimAnswered(item: DeployItem, { identity, stateOf, silentMs, leaseDurationMs }: ClaimView): Claim {
  const holder = isPlanAnswered(item) ? (item.status?.deployer?.identity ?? "") : "";
  if (holder === "" || isOfInstance(holder, identity) || stateOf(holder) !== "live") return { type: "ours" };
  const leftMs = leaseDurationMs - silentMs(item);
  return leftMs > 0 ? { type: "wait", holder, leftMs } : { type: "ours" };
}

/** Whether a write has to be left to another process. */
export function isTheirs({ type }: Claim): boolean {
  return type === "theirs" || type === "wait";
}

/** Whether another process has an item in work that this one, `holder`, had. */
export function isTaken(item: DeployItem, holder: string): boolean {
  return isInWork(item) && item.status?.deployer?.identity !== holder;
}

function isInWork(item: DeployItem): boolean {
  return isPickedUp(item) || isRepetitionOpen(item.status) || isPlanLeft(item.status);
}
