import type { UnstructuredObject } from "@landscaper/api";
import { controllerUser } from "../auth/user.ts";
import type { ResourceDefinition } from "../resources/resource-definition.ts";
import { trackWrite, withManagedFields } from "../managed-fields/track-write.ts";
import type { RestContext, RestTarget } from "../rest/rest-context.ts";
import { systemManager } from "../rest/rest-context.ts";
import type { StoredObject } from "../storage/stored-object.ts";
import { equalJson } from "../objects/json.ts";

/** The target of a controller's own request. */
export function systemTarget(
  definition: ResourceDefinition,
  key: { readonly namespace?: string; readonly name: string },
): RestTarget {
  return { definition, namespace: key.namespace ?? "", name: key.name, subresource: "", user: controllerUser };
}

export interface SystemChange {
  readonly current: StoredObject;
  readonly object: UnstructuredObject;
  /** Through which the change would have come: "status", or "" for the object itself. */
  readonly subresource?: "status";
  /** Owner of the fields; default: {@link systemManager}. */
  readonly manager?: string;
}

/** Writes `object` over `current` as it is, past validation and admission; an unchanged object is not written. */
export function overwrite(context: RestContext, definition: ResourceDefinition, change: SystemChange): StoredObject {
  if (equalJson(change.current.object, change.object)) return change.current;
  return context.store.put(definition.storage, tracked(context, definition, change), change.current);
}

function tracked(
  context: RestContext,
  definition: ResourceDefinition,
  { current, object, subresource, manager = systemManager }: SystemChange,
): UnstructuredObject {
  const writer = { definition, subresource: subresource ?? "", manager };
  return withManagedFields(object, trackWrite(context, writer, { current, object }));
}

/** The definition of a built-in resource that is always there. */
export function builtin(context: RestContext, apiVersion: string, plural: string): ResourceDefinition {
  const found = context.resources.find(apiVersion, plural);
  if (found === undefined) throw new Error(`the cluster lacks its own resource ${apiVersion} ${plural}`);
  return found;
}

/** Takes a finalizer away; an object that was only waiting for that is gone then. */
export function removeFinalizer(
  context: RestContext,
  definition: ResourceDefinition,
  { current, finalizer }: { readonly current: StoredObject; readonly finalizer: string },
): void {
  const { finalizers = [], ...metadata } = current.object.metadata;
  const rest = finalizers.filter((candidate) => candidate !== finalizer);
  if (rest.length === finalizers.length) return;
  const isMarked = metadata.deletionTimestamp !== undefined && (metadata.deletionGracePeriodSeconds ?? 0) === 0;
  if (rest.length === 0 && isMarked && definition.strategy.isHeld?.(current.object) !== true) {
    context.store.remove(definition.storage, current.object, current);
    return;
  }
  const next = rest.length === 0 ? metadata : { ...metadata, finalizers: rest };
  const object = { ...current.object, metadata: next };
  context.store.put(definition.storage, tracked(context, definition, { current, object }), current);
}
