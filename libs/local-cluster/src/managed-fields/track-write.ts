import type { UnstructuredObject } from "@landscaper/api";
import type { ManagedFieldsEntry, Writer } from "@landscaper/patch";
import { trackUpdate } from "@landscaper/patch";
import type { ResourceDefinition } from "../resources/resource-definition.ts";
import { groupVersionOf } from "../resources/resource-definition.ts";
import type { RestContext } from "../rest/rest-context.ts";
import { formatTime } from "../rest/rest-context.ts";
import type { StoredObject } from "../storage/stored-object.ts";
import { managedKindOf } from "./managed-kind.ts";

export interface WriterOptions {
  readonly definition: ResourceDefinition;
  readonly subresource: string;
  readonly manager: string;
}

/** Who writes, at this moment. */
export function writerOf(
  context: Pick<RestContext, "now">,
  { definition, subresource, manager }: WriterOptions,
  operation: Writer["operation"] = "Update",
): Writer {
  const apiVersion = groupVersionOf(definition);
  return { manager, operation, apiVersion, subresource, now: formatTime(context.now()) };
}

/** The managed fields after a write that is no apply; `object` is in the storage version, `current` undefined for a create. */
export function trackWrite(
  context: Pick<RestContext, "now" | "resources">,
  options: WriterOptions,
  { current, object }: { readonly current: StoredObject | undefined; readonly object: UnstructuredObject },
): readonly ManagedFieldsEntry[] {
  const { definition, subresource } = options;
  return trackUpdate({
    kind: managedKindOf(context.resources, definition, subresource),
    writer: writerOf(context, options),
    live: current === undefined ? undefined : presented(definition, current.object),
    object: presented(definition, object),
  });
}

/** In the version of the request. */
function presented(definition: ResourceDefinition, object: UnstructuredObject): Record<string, unknown> {
  return { ...(definition.convert?.fromStorage(object) ?? object), apiVersion: groupVersionOf(definition) };
}

export function withoutManagedFields(object: UnstructuredObject): UnstructuredObject {
  if (object.metadata.managedFields === undefined) return object;
  const { managedFields: _managedFields, ...metadata } = object.metadata;
  return { ...object, metadata };
}

/** The object with this list, or without one when it is empty. */
export function withManagedFields(
  object: UnstructuredObject,
  entries: readonly ManagedFieldsEntry[],
): UnstructuredObject {
  const bare = withoutManagedFields(object);
  if (entries.length === 0) return bare;
  // The list is kept as it is, so that an unchanged one is known by its identity.
  return { ...bare, metadata: { ...bare.metadata, managedFields: entries as unknown[] } };
}
