import { LandscaperError, type UnstructuredObject } from "@landscaper/api";
import { isForbidden } from "@landscaper/controller-runtime";
import { createThreeWayPatch } from "@landscaper/patch";
import {
  encodeStringData,
  findLive,
  groupByKind,
  leaveKeptFields,
  mapBounded,
  pauseFor,
  referenceTo,
  resourceFailure,
  resourceId,
  type IgnoreRule,
  type TargetCluster,
} from "@landscaper/resources";
import { isOfAnotherRelease, managedSelector, markOwned, type ReleaseName } from "./ownership.ts";
import type { ReleaseObject } from "./release-objects.ts";

export interface LookOptions {
  readonly cluster: TargetCluster;
  readonly release: ReleaseName;
  /** Fields that other clients set. */
  readonly ignore?: readonly IgnoreRule[] | undefined;
  readonly signal: AbortSignal;
}

/** Object of a release that may differ from its revision. */
export interface ChangedObject extends ReleaseObject {
  /** Undefined if the object does not exist. */
  readonly live: UnstructuredObject | undefined;
}

const concurrency = 16;

/**
 * Returns the objects of a revision that are missing on the cluster, or lack something that the revision gives them, in the same order. Makes
 * one request for each kind and namespace and one for each missing object, and writes nothing. The result may have objects that only look different, such as one whose
 * quantity the API server has written in another way. Throws LandscaperError if the cluster does not answer.
 */
export async function findChangedObjects(
  objects: readonly ReleaseObject[],
  options: LookOptions,
): Promise<readonly ChangedObject[]> {
  const { signal } = options;
  const groups = groupByKind(objects, ({ object }) => referenceTo(object));
  const found = await mapBounded(
    groups,
    { limit: concurrency, signal },
    async (group) => await readGroup(group, options),
  );
  const known = new Map(found.flat().map((live) => [resourceId(referenceTo(live)), live]));
  // Of an object that the chart has twice, the last one was deployed.
  const lastOnes = new Map(objects.map((item) => [resourceId(referenceTo(item.object)), item]));
  const compared = await mapBounded([...lastOnes], { limit: 1, signal }, async ([id, item]) => {
    const live = known.get(id);
    return (await isAsWanted(item.object, live, options)) ? undefined : { ...item, live };
  });
  return compared.filter((item) => item !== undefined);
}

/** Reads the objects of one kind and namespace: by a list, and one by one those that the list does not contain. */
async function readGroup(
  group: readonly ReleaseObject[],
  { cluster, signal }: LookOptions,
): Promise<readonly UnstructuredObject[]> {
  const listed = group.length > 1 ? await listGroup(group, { cluster, signal }) : [];
  const known = new Map(listed.map((live) => [resourceId(referenceTo(live)), live]));
  const read = await mapBounded(group, { limit: concurrency, signal }, async ({ object }) => {
    const { uid: _uid, ...reference } = referenceTo(object);
    return known.get(resourceId(reference)) ?? (await findLive(cluster, reference, signal));
  });
  return read.filter((live) => live !== undefined);
}

/** Returns none if the list is refused or too large: the user of the target may have rights for single objects only. */
async function listGroup(
  [first]: readonly ReleaseObject[],
  { cluster, signal }: Pick<LookOptions, "cluster" | "signal">,
): Promise<readonly UnstructuredObject[]> {
  if (first === undefined) return [];
  const { namespace } = first.object.metadata;
  try {
    return (await cluster.client.list(first.type, { namespace, labelSelector: managedSelector, signal })).items;
  } catch (error) {
    signal.throwIfAborted();
    if (isForbidden(error) || error instanceof LandscaperError) return [];
    const { apiVersion, kind } = first.object;
    throw await resourceFailure(error, { verb: "list", reference: { apiVersion, kind, name: "*", namespace } });
  }
}

async function isAsWanted(
  object: UnstructuredObject,
  live: UnstructuredObject | undefined,
  { cluster, release, ignore, signal }: LookOptions,
): Promise<boolean> {
  if (live === undefined || live.metadata.deletionTimestamp !== undefined) return false;
  // It was taken over.
  if (isOfAnotherRelease(live, release)) return true;
  const desired = encodeStringData(markOwned(object, release));
  const pause = pauseFor(live, desired);
  const modified = await leaveKeptFields({ cluster, manifest: desired, live, ignore, replaces: false, signal });
  if (modified === undefined) return true;
  await pause();
  const { apiVersion, kind } = desired;
  const { body } = createThreeWayPatch({ original: modified, modified, current: live }, { apiVersion, kind });
  await pause();
  return Object.keys(body).length === 0;
}
