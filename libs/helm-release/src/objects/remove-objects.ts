import type { UnstructuredObject } from "@landscaper/api";
import {
  awaitObject,
  findLive,
  formatResource,
  keyOfReference,
  mapBounded,
  referenceTo,
  resourceFailure,
  workWhereServed,
  type TargetCluster,
} from "@landscaper/resources";
import { isKept, isMarked, isOfAnotherRelease, type ReleaseName } from "./ownership.ts";
import type { PastObject } from "./past-objects.ts";
import type { ReleaseWait } from "../release-context.ts";
import type { ReleaseObject } from "./release-objects.ts";

interface RemoveOptions {
  readonly cluster: TargetCluster;
  readonly release: ReleaseName;
  /** UIDs of objects of the new revision: an old group may still serve them under their old name. */
  readonly applied?: ReadonlySet<string>;
  readonly signal: AbortSignal;
}

/** An object that the release had. What was not deployed (`isDeployed` false) is its own only by its marks. */
type RemovableObject = Pick<PastObject, "object" | "isDeployed">;

const concurrency = 16;

/**
 * Deletes objects that the release had, side by side; what is marked to be kept stays, and so does what another release has taken over. Does
 * not wait until they are gone.
 */
export async function removeReleaseObjects(
  objects: readonly RemovableObject[],
  { cluster, release, applied, signal }: RemoveOptions,
): Promise<void> {
  await mapBounded(objects, { limit: concurrency, signal }, async ({ object, isDeployed }) => {
    const reference = referenceTo(object);
    const live = await findLive(cluster, reference, signal);
    if (live === undefined || isKept(live) || isKept(object) || isOfAnotherRelease(live, release)) return;
    const { uid } = live.metadata;
    if (uid !== undefined && applied?.has(uid) === true) return;
    if (!isDeployed && !isMarked(live, release)) return;
    await deleteObject(live, { cluster, uid, signal });
  });
}

/** Deletes one object, if it is there. Does not wait until it is gone. */
export async function deleteObject(
  object: UnstructuredObject,
  { cluster, uid, signal }: Pick<RemoveOptions, "cluster" | "signal"> & { readonly uid?: string | undefined },
): Promise<void> {
  const reference = referenceTo(object);
  try {
    await workWhereServed<void>({ cluster, reference, absent: undefined, signal }, async (type) => {
      const key = keyOfReference(reference, type.namespaced);
      await cluster.client.delete(type, key, { uid, propagationPolicy: "Background", signal });
    });
  } catch (error) {
    throw await resourceFailure(error, { verb: "delete", reference });
  }
}

/** Those that are still there, apart from what is to be kept. Undefined: all are gone. */
export async function awaitRemoval(
  objects: readonly ReleaseObject[],
  { cluster, signal }: Pick<RemoveOptions, "cluster" | "signal">,
): Promise<ReleaseWait | undefined> {
  const there = await mapBounded(objects, { limit: concurrency, signal }, async ({ object }) => {
    const reference = referenceTo(object);
    const live = await findLive(cluster, reference, signal);
    return live?.metadata.deletionTimestamp === undefined ? [] : [reference];
  });
  const open = there.flat();
  if (open.length === 0) return undefined;
  return {
    waitingFor: open.map((reference) => `${formatResource(reference)} to be gone`),
    awaited: open.map((reference) => awaitObject(cluster, reference)),
  };
}
