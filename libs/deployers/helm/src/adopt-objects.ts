import type { DeployItem, UnstructuredObject } from "@landscaper/api";
import {
  checkOwned,
  isKept,
  locateObjects,
  markOwned,
  parseManifest,
  type ReleaseObject,
  type ReleaseRecord,
} from "@landscaper/helm-release";
import { ownerOf } from "@landscaper/manifest-deployer-lib";
import {
  findLive,
  findType,
  mapBounded,
  referenceTo,
  resourceId,
  settleObject,
  type ManagedResource,
  type ObjectWrite,
  type TargetCluster,
} from "@landscaper/resources";
import type { ReleaseName } from "./helm-status.ts";

interface AdoptOptions {
  readonly cluster: TargetCluster;
  readonly release: ReleaseName;
  readonly signal: AbortSignal;
}

const concurrency = 16;

/**
 * Of objects that the item has deployed as manifests: gives those that the release will have the marks of Helm, so that it takes them
 * over, and nobody else's. Returns the entries that are still the item's.
 */
export async function handToRelease(
  entries: readonly ManagedResource[],
  {
    item,
    objects,
    ...options
  }: AdoptOptions & { readonly item: DeployItem; readonly objects: readonly ReleaseObject[] },
): Promise<ManagedResource[]> {
  const { cluster, release, signal } = options;
  const owner = ownerOf(item);
  const wanted = new Set(objects.map(({ object }) => resourceId(referenceTo(object))));
  const ours = await mapBounded(entries, { limit: concurrency, signal }, async (entry) => {
    const { resource } = entry;
    const live = await findLive(cluster, resource, signal);
    if (live?.metadata.labels?.[owner.key] !== owner.value) return undefined;
    if (!wanted.has(resourceId(resource))) return entry;
    const type = await findType(cluster, resource, signal);
    const decide = (found: UnstructuredObject | undefined): ObjectWrite => {
      if (found === undefined) return { type: "none" };
      const { labels, annotations } = markOwned(found, release).metadata;
      return { type: "patch", patch: { type: "merge", body: { metadata: { labels, annotations } } } };
    };
    await settleObject({ cluster, type, object: live, decide, signal });
    return entry;
  });
  return ours.filter((entry) => entry !== undefined);
}

/** The objects of a release as an inventory: those that bear its marks, and are not to be kept. */
export async function inventoryOfRelease(
  record: ReleaseRecord,
  { cluster, release, signal }: AdoptOptions,
): Promise<ManagedResource[]> {
  const { namespace } = release;
  const objects = await locateObjects(cluster, parseManifest(record.manifest), {
    namespace,
    skipUnknown: true,
    signal,
  });
  const entries = await mapBounded(objects, { limit: concurrency, signal }, async ({ object }) => {
    const { uid: _uid, ...reference } = referenceTo(object);
    const live = await findLive(cluster, reference, signal);
    if (live === undefined || isKept(live) || isKept(object) || !isOwned(live, release)) return undefined;
    return { policy: "manage" as const, resource: { ...reference, uid: live.metadata.uid } };
  });
  return entries.filter((entry) => entry !== undefined);
}

export function isOwned(live: UnstructuredObject, release: ReleaseName): boolean {
  try {
    checkOwned(live, release);
    return true;
  } catch {
    return false;
  }
}
