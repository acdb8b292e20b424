import { isNotFound } from "@landscaper/controller-runtime";
import {
  awaitObject,
  findLive,
  formatResource,
  keyOfReference,
  mapBounded,
  referenceTo,
  resourceFailure,
  type TargetCluster,
} from "@landscaper/resources";
import { isKept, isOfAnotherRelease, type ReleaseName } from "./ownership.ts";
import type { ReleaseWait } from "./release-context.ts";
import type { ReleaseObject } from "./release-objects.ts";

interface RemoveOptions {
  readonly cluster: TargetCluster;
  readonly release: ReleaseName;
  readonly signal: AbortSignal;
}

const concurrency = 16;

/**
 * Deletes objects that the release had, one after the other group as given; what is marked to be kept stays, and so does what
 * another release has taken over. Does not wait until they are gone.
 */
export async function removeReleaseObjects(
  objects: readonly ReleaseObject[],
  { cluster, release, signal }: RemoveOptions,
): Promise<void> {
  await mapBounded(objects, { limit: concurrency, signal }, async ({ object, type }) => {
    const reference = referenceTo(object);
    const live = await findLive(cluster, reference, signal);
    if (live === undefined || isKept(live) || isKept(object) || isOfAnotherRelease(live, release)) return;
    await deleteObject({ object, type }, { cluster, uid: live.metadata.uid, signal });
  });
}

/** Deletes one object, if it is there. Does not wait until it is gone. */
export async function deleteObject(
  { object, type }: ReleaseObject,
  { cluster, uid, signal }: Pick<RemoveOptions, "cluster" | "signal"> & { readonly uid?: string | undefined },
): Promise<void> {
  const reference = referenceTo(object);
  try {
    const key = keyOfReference(reference, type.namespaced);
    await cluster.client.delete(type, key, { uid, propagationPolicy: "Background", signal });
  } catch (error) {
    if (!isNotFound(error)) throw resourceFailure(error, { verb: "delete", reference });
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
