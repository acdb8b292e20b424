import type { UnstructuredObject } from "@landscaper/api";
import { createThreeWayPatch } from "@landscaper/patch";
import {
  awaitObject,
  formatResource,
  leaveKeptFields,
  mapBounded,
  originalManagers,
  referenceTo,
  resourceId,
  settleObject,
  settleServerApply,
  type FieldManagers,
  type IgnoreRule,
  type ObjectWrite,
  type SettleOptions,
  type TargetCluster,
} from "@landscaper/resources";
import { splitDuplicates } from "./duplicates.ts";
import { warnOfMerge } from "./merge-warnings.ts";
import { checkOwned, isMarked, markFields, markOwned, type ReleaseName } from "./ownership.ts";
import type { PastObject } from "./past-objects.ts";
import type { ReleaseContext, ReleaseWait } from "../release-context.ts";
import { compareWithUpdate, inTemplate } from "./refused-object.ts";
import type { ReleaseObject } from "./release-objects.ts";
import { removeReleaseObjects } from "./remove-objects.ts";

export interface ApplyReleaseOptions {
  readonly cluster: TargetCluster;
  readonly release: ReleaseName;
  /** As they shall be, in the order of installing. */
  readonly objects: readonly ReleaseObject[];
  /** What earlier revisions may have left, by `resourceId`. */
  readonly past: ReadonlyMap<string, PastObject>;
  /** `resourceId`s of hooks of the revision: objects of earlier ones that became hooks. */
  readonly hooks: ReadonlySet<string>;
  /** `resourceId`s of the CRDs in crds/ of the chart: one that moves there is not removed. */
  readonly definitions: ReadonlySet<string>;
  /** Objects of others become the release's. */
  readonly takeOwnership: boolean;
  /** Replaces objects in place of patching them. */
  readonly force: boolean;
  /** In place of the three-way merge. */
  readonly serverSideApply: ServerSideApply | undefined;
  /** Fields that other clients set. */
  readonly ignore: readonly IgnoreRule[] | undefined;
  readonly warn: ReleaseContext["warn"];
  readonly signal: AbortSignal;
}

/** How objects are applied on the server; the field manager is Helm's. */
export interface ServerSideApply {
  /** Takes fields over that other managers have, in place of reporting them. */
  readonly force?: boolean | undefined;
  /** Further names under which the objects were written or applied before: what they have left goes. */
  readonly former?: readonly string[] | undefined;
  /** What users can do about a field of another manager. Default: that of `libs/resources`. */
  readonly conflictHint?: string | undefined;
}

export const helmFieldManager = "helm";
const concurrency = 16;

/** Helm's, those of `ServerSideApply.former`, and, on objects of the release, those of the original deployer. */
export function fieldManagers(former: readonly string[] = []): FieldManagers {
  return { manager: helmFieldManager, former, formerApplies: former, formerOfOwned: originalManagers };
}

/**
 * Refuses objects of others before anything is written (Helm 3: "invalid ownership metadata"). What the release has deployed is its own,
 * whatever its marks say.
 */
export async function checkOwnership(options: ApplyReleaseOptions): Promise<void> {
  if (options.takeOwnership) return;
  const { cluster, release, past, signal } = options;
  const unsure = options.objects.filter(({ object }) => past.get(resourceId(referenceTo(object)))?.isDeployed !== true);
  await mapBounded(unsure, { limit: concurrency, signal }, async ({ object, type }) => {
    const decide = (live: UnstructuredObject | undefined): ObjectWrite => {
      if (live !== undefined) checkOwned(live, release);
      return { type: "none" };
    };
    await settleObject({ cluster, type, object, decide, signal });
  });
}

/**
 * Brings the objects to the cluster, kind after kind in their order, those of one kind side by side; then removes what the release no
 * longer has, but for what is to be kept. Waits for those that are being deleted. Throws LandscaperError for the first that fails.
 */
export async function applyRelease(options: ApplyReleaseOptions): Promise<ReleaseWait | undefined> {
  const { cluster, objects, past, release, hooks, definitions, signal } = options;
  const live = await applyObjects(options);
  if ("waitingFor" in live) return live;
  const applied = new Set(live.flatMap(({ metadata: { uid } }) => (uid === undefined ? [] : [uid])));
  const kept = new Set(objects.map(({ object }) => resourceId(referenceTo(object))));
  const gone = [...past.entries()].flatMap(([id, item]) =>
    kept.has(id) || definitions.has(id) ? [] : [{ ...item, isDeployed: item.isDeployed && !hooks.has(id) }],
  );
  await removeReleaseObjects(gone, { cluster, release, applied, signal });
  return undefined;
}

/** Applies the objects and removes nothing. Returns the live objects, or a wait for objects that are being deleted. */
export async function applyObjects(options: ApplyReleaseOptions): Promise<readonly UnstructuredObject[] | ReleaseWait> {
  const { cluster, objects, signal } = options;
  const applied: UnstructuredObject[] = [];
  for (const group of splitByKind(objects).flatMap(splitDuplicates)) {
    const results = await mapBounded(group, { limit: concurrency, signal }, async (item) =>
      applyOne(item, options).catch((error: unknown) => {
        throw inTemplate(error, item.path);
      }),
    );
    const found = results.filter((live) => live !== undefined);
    const leaving = found.filter((live) => live.metadata.deletionTimestamp !== undefined);
    if (leaving.length > 0) return awaitEnd(cluster, leaving);
    applied.push(...found);
  }
  return applied;
}

function awaitEnd(cluster: TargetCluster, leaving: readonly UnstructuredObject[]): ReleaseWait {
  const references = leaving.map(referenceTo);
  return {
    waitingFor: references.map((reference) => `${formatResource(reference)}, which is being deleted, to be gone`),
    awaited: references.map((reference) => awaitObject(cluster, reference)),
  };
}

/** The object as it is then; one that is being deleted is left alone, as it would be gone again. */
async function applyOne(item: ReleaseObject, options: ApplyReleaseOptions): Promise<UnstructuredObject | undefined> {
  const { release, past, takeOwnership, force, serverSideApply } = options;
  const desired = markOwned(item.object, release);
  const before = past.get(resourceId(referenceTo(desired)));
  const accept = (live: UnstructuredObject): boolean => {
    if (live.metadata.deletionTimestamp !== undefined) return false;
    if (before?.isDeployed !== true && !takeOwnership) checkOwned(live, release);
    return true;
  };
  if (serverSideApply !== undefined) return await applyOnServer({ ...item, object: desired }, { ...options, accept });
  const settle = async (original: UnstructuredObject): Promise<UnstructuredObject | undefined> =>
    settleOne(item, options, async (live) => {
      if (live === undefined) return { type: "create", object: desired };
      if (!accept(live)) return { type: "none" };
      const modified = await leaveKeptFields({
        ...options,
        manifest: desired,
        live,
        replaces: true,
        withAdditions: force,
      });
      if (modified === undefined) return { type: "none" };
      return decideUpdate(modified, { before: original, live, force });
    });
  let live = await settle(before?.object ?? desired);
  // Fields of revisions that failed; a replacement leaves none.
  for (const form of force ? [] : (before?.otherForms ?? [])) live = await settle(form);
  if (before !== undefined && live !== undefined)
    for (const warning of warnOfMerge(live, { desired, before })) options.warn?.(warning);
  return live;
}

/** What the three-way merge has written, ours or Helm's, is handed over to the apply. */
async function applyOnServer(
  { object, type }: ReleaseObject,
  {
    cluster,
    serverSideApply: { force = false, former = [], conflictHint } = {},
    ignore,
    accept,
    release,
    signal,
  }: ApplyReleaseOptions & { readonly accept: (live: UnstructuredObject) => boolean },
): Promise<UnstructuredObject> {
  const managers = fieldManagers(former);
  const ownFields = markFields;
  const isOwned = (live: UnstructuredObject): boolean => isMarked(live, release);
  const apply = { managers, force, ownFields, conflictHint, isOwned };
  try {
    return await settleServerApply({ cluster, type, object, ...apply, ignore, accept, signal });
  } catch (error) {
    throw await compareWithUpdate(error, { object, type }, { cluster, signal });
  }
}

async function settleOne(
  { object, type }: ReleaseObject,
  { cluster, signal }: ApplyReleaseOptions,
  decide: SettleOptions["decide"],
): Promise<UnstructuredObject | undefined> {
  return await settleObject({ cluster, type, object, decide, fieldManager: helmFieldManager, signal });
}

function decideUpdate(
  desired: UnstructuredObject,
  { before, live, force }: { before: UnstructuredObject; live: UnstructuredObject; force: boolean },
): ObjectWrite {
  if (force) {
    const { resourceVersion } = live.metadata;
    const metadata = { ...desired.metadata, ...(resourceVersion === undefined ? {} : { resourceVersion }) };
    return { type: "replace", object: { ...desired, metadata } };
  }
  const { apiVersion, kind } = desired;
  const patch = createThreeWayPatch({ original: before, modified: desired, current: live }, { apiVersion, kind });
  return Object.keys(patch.body).length === 0 ? { type: "none" } : { type: "patch", patch };
}

/** Consecutive objects of the same kind. */
function splitByKind(objects: readonly ReleaseObject[]): ReleaseObject[][] {
  const groups: ReleaseObject[][] = [];
  for (const item of objects) {
    const last = groups.at(-1);
    if (last?.[0]?.object.kind === item.object.kind) last.push(item);
    else groups.push([item]);
  }
  return groups;
}
