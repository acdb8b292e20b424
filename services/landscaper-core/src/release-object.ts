import { finalizer, keyOf, type KubeObject, type ResourceType } from "@landscaper/api";
import type { Client } from "@landscaper/controller-runtime";

/** Takes our finalizer off, guarded by the resourceVersion; without another finalizer the object is gone then. */
export async function releaseObject<T extends KubeObject>(
  client: Client,
  { type, object }: { readonly type: ResourceType<T>; readonly object: T },
  signal: AbortSignal,
): Promise<void> {
  const { resourceVersion, finalizers = [] } = object.metadata;
  const body = { metadata: { resourceVersion, finalizers: finalizers.filter((name) => name !== finalizer) } };
  await client.patch(type, keyOf(object), { type: "merge", body, signal });
}
