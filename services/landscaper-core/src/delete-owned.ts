import { annotations, keyOf, type KubeObject, type ResourceType } from "@landscaper/api";
import type { Client } from "@landscaper/controller-runtime";
import { deleteObject } from "./ensure-object.ts";
import { hasAnnotation, isDeleting } from "./object-reading.ts";

export interface OwnedObject<T extends KubeObject> {
  readonly type: ResourceType<T>;
  /** The cached object, which still has its owner. */
  readonly object: T;
  /** Whether what it installed stays. */
  readonly withoutUninstall: boolean;
}

/**
 * Deletes an object in the version that its owner owns. Kubernetes may have released it from the owner meanwhile (`--cascade=orphan`): then this ends in a
 * conflict.
 */
export async function deleteOwned<T extends KubeObject>(
  client: Client,
  { type, object, withoutUninstall }: OwnedObject<T>,
  signal: AbortSignal,
): Promise<void> {
  let { resourceVersion } = object.metadata;
  if (withoutUninstall && !hasAnnotation(object, annotations.deleteWithoutUninstall)) {
    const body = { metadata: { resourceVersion, annotations: { [annotations.deleteWithoutUninstall]: "true" } } };
    const marked = await client.patch(type, keyOf(object), { type: "merge", body, signal });
    ({ resourceVersion } = marked.metadata);
  }
  if (!isDeleting(object)) await deleteObject(client, { type, object, resourceVersion }, signal);
}
