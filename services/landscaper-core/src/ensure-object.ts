import {
  annotations,
  keyOf,
  labels,
  LandscaperError,
  protectionFinalizer,
  resources,
  type KubeObject,
  type ResourceType,
} from "@landscaper/api";
import { isAlreadyExists, isTooLarge, type Client, type Lister } from "@landscaper/controller-runtime";
import { isSameJson } from "./is-same-json.ts";
import { removeFinalizer } from "./finalizers.ts";
import { hasFinalizer, isDeleting, labelOf, nameOf, uidOf } from "./object-reading.ts";

export interface EnsureOptions<T extends KubeObject> {
  readonly client: Client;
  readonly type: ResourceType<T>;
  readonly lister: Pick<Lister<T>, "get">;
  readonly desired: T;
  /** Returns what to write over an existing object; throws if the core must not change it. */
  readonly merge: (existing: T, desired: T) => T;
  /** Whether an object that was deleted while it is in use may be replaced. Default: yes. */
  readonly mayReplace?: (held: T) => Promise<boolean>;
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
    return await namingLarge(desired, client.create(type, desired, { signal }));
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    const found = await client.find(type, keyOf(desired), { signal });
    if (found === undefined) throw error;
    return updateObject(options, found);
  }
}

/** Whether the object was deleted and is only protected: it would vanish after its last use, although the write has succeeded. */
function isHeld(object: KubeObject): boolean {
  return isDeleting(object) && hasFinalizer(object, protectionFinalizer);
}

async function updateObject<T extends KubeObject>(options: EnsureOptions<T>, existing: T): Promise<T> {
  const { client, type, desired, merge, mayReplace, signal } = options;
  const merged = merge(existing, desired);
  if (isHeld(existing)) {
    if (mayReplace !== undefined && !(await mayReplace(existing))) return existing;
    await removeFinalizer(client, { type, object: existing, finalizer: protectionFinalizer }, signal);
    return await namingLarge(desired, client.create(type, desired, { signal }));
  }
  return isSameJson(merged, existing) ? existing : namingLarge(merged, client.update(type, merged, { signal }));
}

/**
 * The end of a write; one that the API server refused for the size of the object fails with what the object is, for the answer does
 * not say that (a template has put large values together, or too many).
 */
export async function namingLarge<T extends KubeObject>(object: KubeObject, write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    if (!isTooLarge(error)) throw error;
    const sizeKib = Math.ceil(Buffer.byteLength(JSON.stringify(object), "utf8") / 1024);
    throw new LandscaperError({
      message: `${describeObject(object)}: its ${sizeKib} KiB of JSON are more than the API server stores in one object: ${error.statusObject.message ?? error.status}`,
      reason: "ObjectTooLarge",
      codes: ["ERR_CONFIGURATION_PROBLEM"],
      hint: "import and export less, or split it",
      retry: "never",
    });
  }
}

/** As the user knows it: by the name in the blueprint where there is one. */
function describeObject(object: KubeObject): string {
  const item = labelOf(object, labels.managedName);
  if (item !== undefined) return `deploy item "${item}"`;
  if (object.kind === resources.execution.kind) return `all deploy items together (Execution "${nameOf(object)}")`;
  const key = labelOf(object, labels.dataKey);
  return `${object.kind} "${key ?? nameOf(object)}"`;
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
      annotations: { ...withoutOwnMarks(metadata.annotations), ...desired.metadata.annotations },
      ownerReferences: [...owners, ...missing],
    },
  };
}

/** Without the marks of sensitive data that the core has written before; the mark of a user stays. */
function withoutOwnMarks(given: KubeObject["metadata"]["annotations"] = {}): Record<string, string> {
  const { [annotations.sensitive]: _, [annotations.sensitivePaths]: paths, ...others } = given;
  return paths === undefined ? { ...given } : others;
}

/** Labels, annotations and owner references as wanted, and nothing of what was there. */
export function replaceMetadata<T extends KubeObject>(existing: T, desired: T): T {
  const { annotations: wanted = {}, labels: own = {}, ownerReferences = [] } = desired.metadata;
  const metadata = { ...existing.metadata, annotations: wanted, labels: own, ownerReferences };
  return { ...existing, ...desired, metadata };
}

interface DeletedObject<T extends KubeObject> {
  readonly type: ResourceType<T>;
  readonly object: T;
  /** Deletes only this version of the object; otherwise the deletion ends in a conflict. Default: any version. */
  readonly resourceVersion?: string | undefined;
}

/**
 * Deletes this very object, not one that took its name since. What the core itself withdraws is not protected: the next job may need the name
 * (docs/reference/protection.md#what-is-not-protected).
 */
export async function deleteObject<T extends KubeObject>(
  client: Client,
  { type, object, resourceVersion }: DeletedObject<T>,
  signal: AbortSignal,
): Promise<void> {
  const left = await client.delete(type, keyOf(object), { uid: uidOf(object), resourceVersion, signal });
  if (left !== undefined) await removeFinalizer(client, { type, object: left, finalizer: protectionFinalizer }, signal);
}
