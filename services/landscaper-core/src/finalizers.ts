import { keyOf, type KubeObject, type ResourceType } from "@landscaper/api";
import type { Client } from "@landscaper/controller-runtime";
import { hasFinalizer } from "./object-reading.ts";

/** A finalizer of an object that a lister has returned. */
export interface ObjectFinalizer<T extends KubeObject> {
  readonly type: ResourceType<T>;
  /** Metadata suffices. */
  readonly object: T;
  readonly finalizer: string;
}

/** Returns the finalizers of an object with one more, if it is missing. */
export function withFinalizer({ metadata: { finalizers = [] } }: KubeObject, finalizer: string): string[] {
  return finalizers.includes(finalizer) ? finalizers : [...finalizers, finalizer];
}

/** Adds the finalizer, guarded by the resourceVersion. Returns the stored object. Throws ApiError. */
export async function addFinalizer<T extends KubeObject>(
  client: Client,
  { type, object, finalizer }: ObjectFinalizer<T>,
  signal: AbortSignal,
): Promise<T> {
  if (hasFinalizer(object, finalizer)) return object;
  const { resourceVersion } = object.metadata;
  const body = { metadata: { resourceVersion, finalizers: withFinalizer(object, finalizer) } };
  return await client.patch(type, keyOf(object), { type: "merge", body, signal });
}

/** Removes the finalizer, guarded by the resourceVersion. If the object is being deleted and has no other one, the API server then deletes it. Throws ApiError. */
export async function removeFinalizer<T extends KubeObject>(
  client: Client,
  { type, object, finalizer }: ObjectFinalizer<T>,
  signal: AbortSignal,
): Promise<void> {
  if (!hasFinalizer(object, finalizer)) return;
  const { resourceVersion, finalizers = [] } = object.metadata;
  const body = { metadata: { resourceVersion, finalizers: finalizers.filter((name) => name !== finalizer) } };
  await client.patch(type, keyOf(object), { type: "merge", body, signal });
}
