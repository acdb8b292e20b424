import { formatKey } from "@landscaper/api";
import type { KubeObject, ObjectKey, ResourceType } from "@landscaper/api";
import type { Informer, InformerHandler, WatchedKind } from "../controller-interface.ts";
import type { Priority } from "./work-queue.ts";

/** Puts a key into a controller's queue. */
export type Enqueue = (key: ObjectKey, priority: Priority) => void;

/** The key that an event of the controller's own kind enqueues. */
export function ownKey(
  predicate: ((object: KubeObject) => boolean) | undefined,
): (object: KubeObject) => readonly ObjectKey[] {
  return (object) => {
    if (predicate?.(object) === false) return [];
    return [{ namespace: object.metadata.namespace, name: object.metadata.name ?? "" }];
  };
}

/** The key of the controller owner of kind `owner`, if the object has one. */
export function controllerOwnerKey(owner: ResourceType): (object: KubeObject) => readonly ObjectKey[] {
  return ({ metadata }) => {
    const reference = metadata.ownerReferences?.find((candidate) => candidate.controller === true);
    if (reference === undefined || reference.kind !== owner.kind) return [];
    if (groupOf(reference.apiVersion) !== owner.group) return [];
    return [{ namespace: owner.namespaced ? metadata.namespace : undefined, name: reference.name }];
  };
}

function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf("/");
  return slash < 0 ? "" : apiVersion.slice(0, slash);
}

/**
 * Lets the events of an informer enqueue what `map` yields, of an update for both versions: an object that moved from one owner
 * to another concerns both. What the first list brings has low priority, so that after a restart new work is not kept waiting.
 */
export function enqueueOnEvents(
  informer: Informer<KubeObject>,
  { map, updatePredicate }: Pick<WatchedKind, "map" | "updatePredicate">,
  enqueue: Enqueue,
): void {
  const enqueueFor = (...objects: readonly KubeObject[]): void => {
    const priority = informer.hasSynced ? "normal" : "low";
    // Once per key: an idle worker takes the first at once, and the second would be work for nothing.
    const keys = new Map(objects.flatMap((object) => map(object)).map((key) => [formatKey(key), key]));
    for (const key of keys.values()) enqueue(key, priority);
  };
  const handler: InformerHandler<KubeObject> = {
    onAdd: (object) => enqueueFor(object),
    onUpdate: (object, previous) => {
      if (updatePredicate?.(object, previous) !== false) enqueueFor(object, previous);
    },
    onDelete: (object) => enqueueFor(object),
  };
  informer.addHandler(handler);
}
