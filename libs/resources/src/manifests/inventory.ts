import { groupOfManifest, isClusterScopedKind, manifestGroups } from "./group-manifests.ts";
import type { AppliedObject, ManagedResource, Manifest } from "./manifest.ts";
import { formatResource, referenceTo, resourceId, type ResourceReference } from "../cluster/resource-reference.ts";

/**
 * What must be written down before anything is done to the target: everything the manifests will manage, and everything
 * that was managed before. Entries that are new have no uid (= planned). Nothing that a crash leaves behind can be unknown.
 * `fieldManager` is the name under which objects will be applied, with strategy `apply`.
 */
export function planInventory(
  previous: readonly ManagedResource[],
  manifests: readonly Manifest[],
  fieldManager?: string,
): ManagedResource[] {
  const known = new Map(previous.map((entry) => [resourceId(entry.resource), entry]));
  const planned = manifests
    .filter(({ policy }) => policy !== "ignore")
    .map((manifest) =>
      inventoryEntry(manifest, recordOf(known.get(resourceId(referenceTo(manifest.manifest))), fieldManager)),
    );
  const plannedIds = new Set(planned.map(({ resource }) => resourceId(resource)));
  const former = previous.filter(({ resource }) => !plannedIds.has(resourceId(resource)));
  return sortInventory([...planned, ...former]);
}

/**
 * Returns the manifests that the inventory may name before discovery was asked: an object without a namespace is recorded when its kind is known to have none
 * (`findAddressable`). Pure.
 */
export function surelyAddressable(manifests: readonly Manifest[]): readonly Manifest[] {
  return manifests.filter(({ manifest }) => {
    const reference = referenceTo(manifest);
    return reference.namespace !== undefined || isClusterScopedKind(reference);
  });
}

/** What an inventory remembers of an object that exists. */
interface ObjectRecord {
  readonly uid: string | undefined;
  readonly fieldManager?: string | undefined;
  readonly readyWithoutStatus?: number | undefined;
}

/** Who does not apply (any more) forgets the manager: other writes may follow, and have to be handed over to the next apply. */
function recordOf(entry: ManagedResource | undefined, fieldManager: string | undefined): ObjectRecord {
  const isSame = fieldManager !== undefined && entry?.fieldManager === fieldManager;
  const { resource, readyWithoutStatus } = entry ?? {};
  return { uid: resource?.uid, fieldManager: isSame ? fieldManager : undefined, readyWithoutStatus };
}

/** The inventory entry of a manifest; `uid` once the object is known to exist and to be managed by us. */
export function inventoryEntry(
  manifest: Manifest,
  { uid, fieldManager, readyWithoutStatus }: ObjectRecord,
): ManagedResource {
  const { annotateBeforeDelete, patchBeforeDelete } = manifest;
  const { uid: _uidInManifest, ...resource } = referenceTo(manifest.manifest);
  return {
    ...(annotateBeforeDelete === undefined ? {} : { annotateBeforeDelete }),
    ...(patchBeforeDelete === undefined ? {} : { patchBeforeDelete }),
    ...(fieldManager === undefined ? {} : { fieldManager }),
    ...(readyWithoutStatus === undefined ? {} : { readyWithoutStatus }),
    policy: manifest.policy,
    resource: { ...resource, ...(uid === undefined ? {} : { uid }) },
  };
}

/**
 * Entries of the inventory that the manifests no longer cover, by uid or by group, kind, namespace and name: a change of version
 * makes no orphan (deployers.md §3.5). What was dealt with but is not managed (`ignore`, or released by `fallback`) is none.
 */
export function findOrphans(
  inventory: readonly ManagedResource[],
  applied: ReadonlyMap<string, AppliedObject>,
): ManagedResource[] {
  const uids = new Set([...applied.values()].map(({ entry }) => entry?.resource.uid));
  return inventory.filter(({ resource }) => {
    const isCovered = applied.has(resourceId(resource)) || (resource.uid !== undefined && uids.has(resource.uid));
    return !isCovered;
  });
}

/** The inventory once something is known about some of its objects: confirmed uids come in, what is not managed goes out. */
export function confirmInventory(
  inventory: readonly ManagedResource[],
  applied: ReadonlyMap<string, AppliedObject>,
): ManagedResource[] {
  const open = inventory.filter(({ resource }) => !applied.has(resourceId(resource)));
  const confirmed = [...applied.values()].flatMap(({ entry }) => (entry === undefined ? [] : [entry]));
  return sortInventory([...confirmed, ...open]);
}

/** Order of the wire form: by group of application, then by text, so that equal inventories are equal texts. */
export function sortInventory(entries: readonly ManagedResource[]): ManagedResource[] {
  return entries
    .map((entry) => ({ entry, key: sortKey(entry.resource) }))
    .toSorted((a, b) => (a.key < b.key ? -1 : Number(a.key > b.key)))
    .map(({ entry }) => entry);
}

function sortKey(resource: ResourceReference): string {
  const isNamespaced = resource.namespace !== undefined && resource.namespace !== "";
  const rank = manifestGroups.indexOf(groupOfManifest(resource, isNamespaced));
  return `${rank} ${resource.apiVersion} ${formatResource(resource)}`;
}
