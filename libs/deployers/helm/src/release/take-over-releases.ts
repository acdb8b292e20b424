import type { DeployContext } from "@landscaper/deployer";
import { currentRevision, inventoryOfRelease, type ReleaseRecord, type ReleaseStore } from "@landscaper/helm-release";
import { resourceId, type ManagedResource, type TargetCluster } from "@landscaper/resources";
import type { HelmConfig } from "../helm-config.ts";
import { isSameRelease, persistHelmStatus, readHelmStatus, writeHelmStatus, type ReleaseName } from "../helm-status.ts";
import { isOfAnother, releaseContext } from "./release-access.ts";

/** The item was a release before: its objects become the item's inventory, and its records go when the job has succeeded. */
export async function takeOverReleases(context: DeployContext<HelmConfig>, cluster: TargetCluster): Promise<void> {
  if (context.providerStatus === undefined) return;
  const status = readHelmStatus(context.providerStatus);
  if (status.mode === "manifests") return;
  const { signal } = context;
  const own = status.release ?? context.config;
  const candidates = [...status.formerReleases.filter((former) => !isSameRelease(former, own)), own];
  const inventory = status.mode === undefined ? [...status.managedResources] : [...status.formerResources];
  const formerReleases: ReleaseName[] = [];
  for (const { name, namespace } of candidates) {
    const release = { name, namespace };
    const { store } = releaseContext(release, cluster, context);
    const record = currentRevision(await historyOf(store, signal));
    if (record === undefined) continue;
    formerReleases.push(release);
    inventory.push(...(await inventoryOfRelease(record, { cluster, release, signal })));
  }
  const managedResources = withoutDoubles(inventory);
  const taken = { release: undefined, formerReleases, formerResources: [], managedResources };
  await persistHelmStatus(context, { ...status, mode: "manifests", ...taken });
}

/** The status may name a release that is another item's: that has no revision of ours. */
async function historyOf(store: ReleaseStore, signal: AbortSignal): Promise<readonly ReleaseRecord[]> {
  try {
    return await store.history({ signal });
  } catch (error) {
    if (isOfAnother(error)) return [];
    throw error;
  }
}

function withoutDoubles(entries: readonly ManagedResource[]): ManagedResource[] {
  return [...new Map(entries.map((entry) => [resourceId(entry.resource), entry])).values()];
}

/** Removes the records of releases whose objects are the item's now; the objects stay. */
export async function forgetReleases(context: DeployContext<HelmConfig>, cluster: TargetCluster): Promise<void> {
  const status = readHelmStatus(context.providerStatus);
  if (status.formerReleases.length === 0) return;
  const { signal } = context;
  for (const release of status.formerReleases) {
    const { store } = releaseContext(release, cluster, context);
    for (const record of await historyOf(store, signal)) await store.remove(record, { signal });
  }
  context.report(writeHelmStatus({ ...status, formerReleases: [] }));
}
