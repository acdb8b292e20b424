import type { OwnerReference, UnstructuredObject } from "@landscaper/api";
import { fieldAt } from "../objects/json.ts";
import type { RestContext } from "../rest/rest-context.ts";
import { matchesLabelSelector } from "../selectors/match-label-selector.ts";
import type { StoredObject } from "../storage/stored-object.ts";
import { simulationPrefix } from "./simulation-options.ts";

/** The reference that a controller puts on the objects that it makes for `owner`. */
export function controllerReference(owner: UnstructuredObject): OwnerReference {
  const { name = "", uid = "" } = owner.metadata;
  return { apiVersion: owner.apiVersion, kind: owner.kind, name, uid, controller: true, blockOwnerDeletion: true };
}

/** The reference to the controller of an object. */
export function controllerOf(object: UnstructuredObject): OwnerReference | undefined {
  return object.metadata.ownerReferences?.find(({ controller }) => controller === true);
}

export function isControlledBy(object: UnstructuredObject, owner: UnstructuredObject): boolean {
  return controllerOf(object)?.uid === owner.metadata.uid;
}

/** The objects of a resource that `owner` controls. */
export function listControlled(context: RestContext, storage: string, owner: UnstructuredObject): UnstructuredObject[] {
  return context.store
    .collection(storage)
    .list(owner.metadata.namespace ?? "")
    .map(({ object }) => object)
    .filter((object) => isControlledBy(object, owner));
}

/**
 * Objects that nobody controls and that the owner's selector takes, with the owner as their controller: what a deletion with the policy Orphan
 * has left behind. Empty for an owner that goes.
 */
export function adoptOrphans(context: RestContext, storage: string, owner: UnstructuredObject): UnstructuredObject[] {
  const selector = fieldAt(owner, "spec", "selector");
  if (owner.metadata.deletionTimestamp !== undefined || selector === undefined) return [];
  return context.store
    .collection(storage)
    .list(owner.metadata.namespace ?? "")
    .map(({ object }) => object)
    .filter((object) => controllerOf(object) === undefined && object.metadata.deletionTimestamp === undefined)
    .filter(({ metadata }) => matchesLabelSelector(selector, metadata.labels))
    .map((object) => {
      const ownerReferences = [...(object.metadata.ownerReferences ?? []), controllerReference(owner)];
      return { ...object, metadata: { ...object.metadata, ownerReferences } };
    });
}

/** The controller of an object, if it is still there. */
export function findController(context: RestContext, object: UnstructuredObject): StoredObject | undefined {
  const reference = controllerOf(object);
  const definition = reference && context.resources.findKind(reference.apiVersion, reference.kind);
  if (reference === undefined || definition === undefined) return undefined;
  const namespace = definition.namespaced ? (object.metadata.namespace ?? "") : "";
  const found = context.store.collection(definition.storage).get(namespace, reference.name);
  return found?.uid === reference.uid ? found : undefined;
}

/** The annotations that script a pod: its own, and under them those of its workload. */
export function scriptAnnotations(context: RestContext, pod: UnstructuredObject): Readonly<Record<string, string>> {
  const owner = findController(context, pod)?.object;
  if (owner === undefined) return scriptOf(pod);
  // A ReplicaSet keeps copies of its Deployment's annotations, also of those that are gone there.
  const workload = findController(context, owner)?.object ?? owner;
  return { ...scriptOf(workload), ...scriptOf(pod) };
}

/** The annotations of one object that script pods. */
export function scriptOf({ metadata }: UnstructuredObject): Readonly<Record<string, string>> {
  const entries = Object.entries(metadata.annotations ?? {});
  return Object.fromEntries(entries.filter(([key]) => key.startsWith(simulationPrefix)));
}
