import type { UnstructuredObject } from "@landscaper/api";
import { createThreeWayPatch } from "@landscaper/patch";
import {
  mapBounded,
  referenceTo,
  resourceId,
  settleObject,
  type ObjectWrite,
  type TargetCluster,
} from "@landscaper/resources";
import { checkOwned, markOwned, type ReleaseName } from "./ownership.ts";
import type { ReleaseObject } from "./release-objects.ts";
import { removeReleaseObjects } from "./remove-objects.ts";

export interface ApplyReleaseOptions {
  readonly cluster: TargetCluster;
  readonly release: ReleaseName;
  /** As they shall be, in the order of installing. */
  readonly objects: readonly ReleaseObject[];
  /** As they were applied last, by `resourceId`. */
  readonly former: ReadonlyMap<string, ReleaseObject>;
  /** Objects of others become the release's. */
  readonly takeOwnership: boolean;
  /** Replaces objects in place of patching them. */
  readonly force: boolean;
  readonly signal: AbortSignal;
}

export const helmFieldManager = "helm";
const concurrency = 16;

/**
 * Refuses objects of others before anything is written (Helm 3: "invalid ownership metadata"). What the release had is its own, whatever
 * its marks say.
 */
export async function checkOwnership(options: ApplyReleaseOptions): Promise<void> {
  if (options.takeOwnership) return;
  const { cluster, release, former, signal } = options;
  const foreign = options.objects.filter(({ object }) => !former.has(resourceId(referenceTo(object))));
  await mapBounded(foreign, { limit: concurrency, signal }, async ({ object, type }) => {
    const decide = (live: UnstructuredObject | undefined): ObjectWrite => {
      if (live !== undefined) checkOwned(live, release);
      return { type: "none" };
    };
    await settleObject({ cluster, type, object, decide, signal });
  });
}

/**
 * Brings the objects to the cluster, kind after kind in their order, those of one kind side by side; then removes what the release no
 * longer has, but for what is to be kept. Throws LandscaperError for the first that fails.
 */
export async function applyRelease(options: ApplyReleaseOptions): Promise<void> {
  const { cluster, objects, former, release, signal } = options;
  for (const group of groupByKind(objects)) {
    await mapBounded(group, { limit: concurrency, signal }, async (item) => applyOne(item, options));
  }
  const kept = new Set(objects.map(({ object }) => resourceId(referenceTo(object))));
  const gone = [...former.entries()].filter(([id]) => !kept.has(id)).map(([, object]) => object);
  await removeReleaseObjects(gone, { cluster, release, signal });
}

async function applyOne({ object, type }: ReleaseObject, options: ApplyReleaseOptions): Promise<void> {
  const { cluster, former, release, takeOwnership, force, signal } = options;
  const desired = markOwned(object, release);
  const before = former.get(resourceId(referenceTo(object)))?.object;
  const decide = (live: UnstructuredObject | undefined): ObjectWrite => {
    if (live === undefined) return { type: "create", object: desired };
    if (before === undefined && !takeOwnership) checkOwned(live, release);
    return decideUpdate(desired, { before: before ?? desired, live, force });
  };
  await settleObject({ cluster, type, object: desired, decide, fieldManager: helmFieldManager, signal });
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

function groupByKind(objects: readonly ReleaseObject[]): ReleaseObject[][] {
  const groups: ReleaseObject[][] = [];
  for (const item of objects) {
    const last = groups.at(-1);
    if (last?.[0]?.object.kind === item.object.kind) last.push(item);
    else groups.push([item]);
  }
  return groups;
}
