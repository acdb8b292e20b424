import { findLive, mapBounded, referenceTo, type ManagedResource, type TargetCluster } from "@landscaper/resources";
import { isKept, isMarked, type ReleaseName } from "./ownership.ts";
import { locateObjects, parseManifest } from "./release-objects.ts";
import type { ReleaseRecord } from "../records/release-record.ts";

const concurrency = 16;

/** The objects of a release as an inventory: those that bear its marks, and are not to be kept. */
export async function inventoryOfRelease(
  record: Pick<ReleaseRecord, "manifest">,
  options: { readonly cluster: TargetCluster; readonly release: ReleaseName; readonly signal: AbortSignal },
): Promise<ManagedResource[]> {
  const { cluster, release, signal } = options;
  const { namespace } = release;
  const objects = await locateObjects(cluster, await parseManifest(record.manifest), {
    namespace,
    anyVersion: true,
    signal,
  });
  const entries = await mapBounded(objects, { limit: concurrency, signal }, async ({ object }) => {
    const { uid: _uid, ...reference } = referenceTo(object);
    const live = await findLive(cluster, reference, signal);
    if (live === undefined || isKept(live) || isKept(object) || !isMarked(live, release)) return undefined;
    return { policy: "manage" as const, resource: { ...reference, uid: live.metadata.uid } };
  });
  return entries.filter((entry) => entry !== undefined);
}
