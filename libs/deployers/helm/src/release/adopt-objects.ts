import type { DeployItem, UnstructuredObject } from "@landscaper/api";
import { markOwned, type ReleaseObject } from "@landscaper/helm-release";
import { ownerOf } from "@landscaper/manifest-deployer-lib";
import {
  findLive,
  isOwnedBy,
  locateType,
  mapBounded,
  referenceTo,
  resourceId,
  settleObject,
  type ManagedResource,
  type ObjectWrite,
  type TargetCluster,
} from "@landscaper/resources";
import type { ReleaseName } from "../helm-status.ts";

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
    if (live === undefined || !isOwnedBy(live, owner)) return undefined;
    if (!wanted.has(resourceId(resource))) return entry;
    const type = await locateType(cluster, resource, signal);
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
