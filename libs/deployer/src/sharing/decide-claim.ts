import type { DeployItem } from "@landscaper/api";
import { isRunLeft } from "../continuous/decide-continuous.ts";
import { isPickedUp } from "../jobs/decide-job.ts";
import { isPlanLeft } from "../preview/decide-preview.ts";
import { ownerOfItem } from "./item-owner.ts";

/** Whether this replica works on an item. */
export type Claim =
  /** It does, or may start to. */
  | "ours"
  /** Another one does, or is to. */
  | "theirs"
  /** The replica that had it in work is gone, and this one follows: it has to say so first. */
  | "orphaned";

/** What a replica knows of itself and the others. */
export interface ReplicaView {
  /** Of all replicas of this instance. */
  readonly identity: string;
  /** This one. */
  readonly pod: string;
  /** Pods that are alive; undefined = not known yet. */
  readonly members: readonly string[] | undefined;
}

/** `status.deployer.identity` where replicas share the items. */
export function replicaIdentity(identity: string, pod: string): string {
  return `${identity}/${pod}`;
}

/**
 * Who works on an item (design.md §5): what is in work stays with its holder while that one lives; everything else is for the
 * owner. Replicas may see different members for a moment: then the guarded write of the pickup decides. Pure.
 */
export function decideClaim(item: DeployItem, { identity, pod, members }: ReplicaView): Claim {
  const isInWork = isPickedUp(item) || isRunLeft(item.status) || isPlanLeft(item.status);
  const holder = isInWork ? holderOf(item, identity) : undefined;
  if (holder === pod) return "ours";
  if (members === undefined || (holder !== undefined && members.includes(holder))) return "theirs";
  if (ownerOfItem(item.metadata.uid ?? "", members) !== pod) return "theirs";
  return isInWork ? "orphaned" : "ours";
}

/** The pod that had the item last; undefined when it was none of this instance. */
function holderOf({ status }: DeployItem, identity: string): string | undefined {
  const holder = status?.deployer?.identity ?? "";
  const prefix = replicaIdentity(identity, "");
  return holder.startsWith(prefix) ? holder.slice(prefix.length) : undefined;
}
