import { protectionFinalizer, resources, type KubeObject } from "@landscaper/api";
import { hasFinalizer, isDeleting, uidOf } from "../object-reading.ts";

/** What this process has done about an object. */
export interface ProtectionState {
  readonly uid: string;
  /** Time of the last addition of the finalizer, in ms of `Clock.elapsed`. */
  readonly addedMs: number | undefined;
  readonly isAnnounced: boolean;
}

/** Object that DeployItems may need for their deletion. */
export interface ObservedProtection {
  /** Metadata suffices. */
  readonly object: KubeObject;
  /** Whether a DeployItem that must still be uninstalled uses the object. */
  readonly isUsed: boolean;
  /** Of an object with this name, undefined at first. */
  readonly state: ProtectionState | undefined;
  readonly elapsedMs: number;
}

export type ProtectionDecision =
  | { readonly kind: "rest" }
  | { readonly kind: "add" }
  | { readonly kind: "wait"; readonly ms: number }
  /** The object is being deleted, but still used: report it. */
  | { readonly kind: "announce" }
  | { readonly kind: "remove" };

/** Minimum time (ms) between two additions to one object: two clients that disagree must not fill the API server with writes. */
const minIntervalMs = 60_000;

/** Decides about the finalizer of an object. Pure (docs/reference/protection.md). */
export function decideProtection({ object, isUsed, state, elapsedMs }: ObservedProtection): ProtectionDecision {
  const known = state?.uid === uidOf(object) ? state : undefined;
  const isNeeded = isUsed && !isOwnedByItem(object);
  if (hasFinalizer(object, protectionFinalizer)) {
    if (!isNeeded) return { kind: "remove" };
    return { kind: isDeleting(object) && known?.isAnnounced !== true ? "announce" : "rest" };
  }
  // The API server accepts no new finalizer on an object that is being deleted.
  if (!isNeeded || isDeleting(object)) return { kind: "rest" };
  const ms = (known?.addedMs ?? -minIntervalMs) + minIntervalMs - elapsedMs;
  return ms > 0 ? { kind: "wait", ms } : { kind: "add" };
}

/** Secrets owned by a DeployItem are deleted with it. Policies refuse finalizers on Secrets that deployers of Environments write. */
function isOwnedByItem({ metadata }: KubeObject): boolean {
  return metadata.ownerReferences?.some(({ kind }) => kind === resources.deployItem.kind) === true;
}
