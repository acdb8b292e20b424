import {
  currentRevision,
  isDefinition,
  isKept,
  isOfAnotherRelease,
  locateObjects,
  parseManifest,
} from "@landscaper/helm-release";
import type { ReleaseContext, ReleaseRecord } from "@landscaper/helm-release";
import type { UnstructuredObject } from "@landscaper/api";
import type { PreviewContext } from "@landscaper/deployer";
import { ownerOf } from "@landscaper/manifest-deployer-lib";
import {
  checkRemovals,
  idsOf,
  planRemovals,
  referenceTo,
  resourceId,
  type PlannedRemoval,
  type TargetCluster,
} from "@landscaper/resources";
import type { HelmConfig } from "../helm-config.ts";
import { isSameRelease, readHelmStatus, type ReleaseName } from "../helm-status.ts";
import { isOfAnother, releaseContext } from "./release-access.ts";

/** A pass of a job, or a preview. */
interface ReleaseAccess {
  readonly context: PreviewContext<HelmConfig>;
  readonly cluster: TargetCluster;
}

/** A revision that is about to be made. */
interface NextRevision {
  /** All revisions before it. */
  readonly history: readonly ReleaseRecord[];
  readonly manifest: string;
  /** Objects of crds/: a CRD that moves there stays. */
  readonly crds: readonly UnstructuredObject[];
}

/** Kinds that are held back when they are removed, wherever in a manifest. */
const guardedKind = /kind["']?\s*:\s*["']?(?:Namespace|PersistentVolumeClaim|CustomResourceDefinition)\b/;

/**
 * To be asked before a revision is made: throws a LandscaperError when it would take away more than it may (`checkRemovals`), from the release, or from
 * what the item has had by other configurations.
 */
export async function checkReleaseRemovals(
  work: ReleaseAccess,
  { history, manifest, crds }: NextRevision,
): Promise<void> {
  const { cluster } = work;
  const { config, item, providerStatus, removals: allowed, signal } = work.context;
  if (allowed.empty && allowed.prune) return;
  const release = { name: config.name, namespace: config.namespace };
  const status = readHelmStatus(providerStatus);
  const inventory = [...status.formerResources, ...(status.mode === "release" ? [] : status.managedResources)];
  const former = [{ release, record: currentRevision(history) }, ...(await formerReleases(work, release))];
  const wanted = await parseManifest(manifest);
  const isOfInterest = wanted.length === 0 || former.some(({ record }) => guardedKind.test(record?.manifest ?? ""));
  if (!isOfInterest && inventory.length === 0) return;
  const objects = await locateObjects(cluster, wanted, { namespace: release.namespace, anyVersion: true, signal });
  const contained = [...objects.map(({ object }) => object), ...crds.filter(isDefinition)];
  const ids = idsOf(contained);
  const ofReleases = await Promise.all(former.map(async (each) => await removalsOf(work, each)));
  const manifests = contained.map((object) => ({ policy: "manage" as const, manifest: object }));
  const removals = [
    ...ofReleases.flat().filter(({ resource }) => !ids.has(resourceId(resource))),
    ...planRemovals({ inventory, manifests, groups: undefined, owner: ownerOf(item) }),
  ];
  await checkRemovals({ cluster, removals, leavesObjects: wanted.length > 0, allowed, signal });
}

interface FormerRelease {
  readonly release: ReleaseName;
  readonly record: ReleaseRecord | undefined;
}

/** Releases of other names that are uninstalled when the revision is there. */
async function formerReleases({ context, cluster }: ReleaseAccess, current: ReleaseName): Promise<FormerRelease[]> {
  const { formerReleases: former, release } = readHelmStatus(context.providerStatus);
  const all = release === undefined ? former : [...former, release];
  const names = all.filter((each) => !isSameRelease(each, current));
  return await Promise.all(
    names.map(async ({ name, namespace }) => {
      const access = releaseContext({ name, namespace }, cluster, context);
      return { release: { name, namespace }, record: currentRevision(await historyOf(access, context.signal)) };
    }),
  );
}

async function historyOf({ store }: ReleaseContext, signal: AbortSignal): Promise<readonly ReleaseRecord[]> {
  try {
    return await store.history({ signal });
  } catch (error) {
    // It is not uninstalled either.
    if (isOfAnother(error)) return [];
    throw error;
  }
}

async function removalsOf(
  { cluster, context: { signal } }: ReleaseAccess,
  { release, record }: FormerRelease,
): Promise<PlannedRemoval[]> {
  if (record === undefined) return [];
  const located = { namespace: release.namespace, anyVersion: true, signal };
  const objects = await locateObjects(cluster, await parseManifest(record.manifest), located);
  return objects
    .filter(({ object }) => !isKept(object))
    .map(({ object }) => ({
      resource: referenceTo(object),
      isOurs: (live) => !isKept(live) && !isOfAnotherRelease(live, release),
    }));
}
