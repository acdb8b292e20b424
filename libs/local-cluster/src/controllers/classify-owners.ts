import type { OwnerReference } from "@landscaper/api";
import type { RestContext } from "../rest/rest-context.ts";
import type { StoredObject } from "../storage/stored-object.ts";

export interface ClassifiedOwners {
  /** Owners that live and will stay. */
  readonly solid: readonly OwnerReference[];
  /** Owners that are gone: not there, or another object of that name. */
  readonly dangling: readonly OwnerReference[];
  /** Owners that wait for their dependents to go first. */
  readonly waiting: readonly OwnerReference[];
  /** Whether an owner cannot be looked up, because its kind is not served or lives in namespaces while the dependent does not. */
  readonly isUnknown: boolean;
}

/** Models kube-controller-manager garbagecollector.go classifyReferences. */
export function classifyOwners(context: RestContext, dependent: StoredObject): ClassifiedOwners {
  const solid: OwnerReference[] = [];
  const dangling: OwnerReference[] = [];
  const waiting: OwnerReference[] = [];
  let isUnknown = false;
  for (const reference of dependent.object.metadata.ownerReferences ?? []) {
    const definition = context.resources.findKind(reference.apiVersion, reference.kind);
    if (definition === undefined || (definition.namespaced && dependent.namespace === "")) {
      isUnknown = true;
      continue;
    }
    const namespace = definition.namespaced ? dependent.namespace : "";
    const owner = context.store.collection(definition.storage).get(namespace, reference.name);
    if (owner === undefined || owner.uid !== reference.uid) dangling.push(reference);
    else if (isWaiting(owner)) waiting.push(reference);
    else solid.push(reference);
  }
  return { solid, dangling, waiting, isUnknown };
}

/** Whether an object is being deleted with policy Foreground. */
export function isWaiting({ object }: StoredObject): boolean {
  const { deletionTimestamp, finalizers = [] } = object.metadata;
  return deletionTimestamp !== undefined && finalizers.includes("foregroundDeletion");
}
