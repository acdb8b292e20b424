import type { UnstructuredObject } from "@landscaper/api";
import { isDeepEqual } from "@landscaper/patch";
import { deepMerge } from "../apply/deep-merge.ts";
import type { JsonObject } from "../json-value.ts";
import type { ManagedResource } from "../manifests/manifest.ts";
import { bearsLabel, isOwnedBy, type OwnerLabel } from "../cluster/owner-label.ts";

/** What is to be done with an object that shall no longer exist. */
export type RemovalDecision =
  /** Stays in the target and leaves the inventory. */
  | { readonly type: "leave" }
  /** The same, because it does not bear our mark. */
  | { readonly type: "foreign" }
  /** Stays, too, but without our label: whoever deploys it next may have it. */
  | { readonly type: "disown" }
  /** Cannot be decided without the live object. */
  | { readonly type: "inspect" }
  | { readonly type: "gone" }
  /** Being deleted; finalizers keep it. */
  | { readonly type: "terminating" }
  /** Annotations and patches of "before delete" come first. */
  | { readonly type: "prepare"; readonly object: UnstructuredObject }
  /** DELETE with this uid as precondition. */
  | { readonly type: "delete"; readonly uid: string };

/**
 * Decides from the inventory alone where that is possible; asks for the live object ("inspect") otherwise. `owned`: uids of objects
 * that surely bear our mark.
 */
export function decideRemovalUnseen(entry: ManagedResource, owned?: ReadonlySet<string>): RemovalDecision {
  if (entry.policy === "keep") return { type: "disown" };
  if (entry.policy === "ignore") return { type: "leave" };
  const { uid } = entry.resource;
  const isSure = uid !== undefined && owned?.has(uid) === true && changesBeforeDelete(entry) === undefined;
  // What is not kept may have been taken over by another item since.
  return isSure ? { type: "delete", uid } : { type: "inspect" };
}

/**
 * Decides with the live object (undefined = not found). Only what bears our mark is removed (`judgeOwnership`): an inventory is data, and its uids
 * are no proof.
 */
export function decideRemoval(
  entry: ManagedResource,
  live: UnstructuredObject | undefined,
  owner: OwnerLabel,
): RemovalDecision {
  const unseen = decideRemovalUnseen(entry);
  if (unseen.type !== "inspect") return unseen;
  if (live === undefined) return { type: "gone" };
  const isHandedOver = entry.policy === "fallback" && !bearsLabel(live, owner);
  if (isHandedOver || !isOwnedBy(live, owner)) return { type: "foreign" };
  if (live.metadata.deletionTimestamp !== undefined) return { type: "terminating" };
  const prepared = changesBeforeDelete(entry);
  if (prepared !== undefined) {
    // The merge keeps apiVersion, kind and metadata of the live object, so the result is an object again.
    const object = deepMerge(live, prepared, { override: true }) as UnstructuredObject;
    if (!isDeepEqual(object, live)) return { type: "prepare", object };
  }
  return { type: "delete", uid: live.metadata.uid ?? "" };
}

function changesBeforeDelete({
  annotateBeforeDelete = {},
  patchBeforeDelete = {},
}: ManagedResource): JsonObject | undefined {
  const hasAnnotations = Object.keys(annotateBeforeDelete).length > 0;
  const annotations = hasAnnotations ? { metadata: { annotations: { ...annotateBeforeDelete } } } : {};
  const changes = deepMerge(patchBeforeDelete, annotations, { override: true });
  return Object.keys(changes).length === 0 ? undefined : changes;
}
