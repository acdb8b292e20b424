import { keyOf, type KubeObject, type ResourceType } from "@landscaper/api";
import { isAlreadyExists, type Client, type Lister } from "@landscaper/controller-runtime";
import { isSameJson } from "./is-same-json.ts";
import { uidOf } from "./object-reading.ts";

export interface EnsureOptions<T extends KubeObject> {
  readonly client: Client;
  readonly type: ResourceType<T>;
  readonly lister: Lister<T>;
  readonly desired: T;
  /** What becomes of an object that is there already; throws when it may not be touched. */
  readonly merge: (existing: T, desired: T) => T;
  readonly signal: AbortSignal;
}

/**
 * Creates or updates one object. A create whose answer was lost, or whose object the cache does not have yet, ends in a conflict
 * of names: the object is read and merged. Writes nothing when nothing changes.
 */
export async function ensureObject<T extends KubeObject>(options: EnsureOptions<T>): Promise<T> {
  const { client, type, lister, desired, signal } = options;
  const cached = lister.get(keyOf(desired));
  if (cached !== undefined) return updateObject(options, cached);
  try {
    return await client.create(type, desired, { signal });
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    const found = await client.find(type, keyOf(desired), { signal });
    if (found === undefined) throw error;
    return updateObject(options, found);
  }
}

async function updateObject<T extends KubeObject>(options: EnsureOptions<T>, existing: T): Promise<T> {
  const { client, type, desired, merge, signal } = options;
  const merged = merge(existing, desired);
  return isSameJson(merged, existing) ? existing : client.update(type, merged, { signal });
}

/** Labels, annotations and owner references of both, the wanted ones winning; everything else as wanted. */
export function overlayMetadata<T extends KubeObject>(existing: T, desired: T): T {
  const { metadata } = existing;
  const owners = metadata.ownerReferences ?? [];
  const missing = (desired.metadata.ownerReferences ?? []).filter(({ uid }) =>
    owners.every((owner) => owner.uid !== uid),
  );
  return {
    ...existing,
    ...desired,
    metadata: {
      ...metadata,
      labels: { ...metadata.labels, ...desired.metadata.labels },
      annotations: { ...metadata.annotations, ...desired.metadata.annotations },
      ownerReferences: [...owners, ...missing],
    },
  };
}

/** Labels, annotations and owner references as wanted, and nothing of what was there. */
export function replaceMetadata<T extends KubeObject>(existing: T, desired: T): T {
  const { annotations = {}, labels = {}, ownerReferences = [] } = desired.metadata;
  return { ...existing, ...desired, metadata: { ...existing.metadata, annotations, labels, ownerReferences } };
}

/** Deletes this very object, not one that took its name since. */
export async function deleteObject<T extends KubeObject>(
  client: Client,
  { type, object }: { readonly type: ResourceType<T>; readonly object: T },
  signal: AbortSignal,
): Promise<void> {
  await client.delete(type, keyOf(object), { uid: uidOf(object), signal });
}
