import type { KubeObject, UnstructuredObject } from "@landscaper/api";
import { applyMergePatch, applyStrategicMergePatch, createThreeWayPatch, isDeepEqual } from "@landscaper/patch";
import {
  compareObjects,
  findLive,
  leaveKeptFields,
  mapBounded,
  pauseFor,
  planDiff,
  referenceTo,
  resourceId,
  type IgnoreRule,
  type ManagedResource,
  type Manifest,
  type ObjectChange,
  type PlanSecrets,
  type TargetCluster,
} from "@landscaper/resources";
import { fieldManagers, type ServerSideApply } from "./apply-objects.ts";
import { definitionIds } from "./crd-files.ts";
import { planCrds, type CrdPolicy } from "./install-crds.ts";
import { isMarked, markOwned, type ReleaseName } from "./ownership.ts";
import { placeObjects } from "./place-objects.ts";
import { inventoryOfRelease } from "./release-inventory.ts";
import { locateObjects, parseManifest, type ReleaseObject } from "./release-objects.ts";
import type { ReleaseRecord } from "../records/release-record.ts";

export interface PreviewOptions {
  readonly cluster: TargetCluster;
  readonly release: ReleaseName;
  /** Of the new revision, without hooks. */
  readonly manifest: string;
  /** What is installed; undefined for an installation. */
  readonly record: Pick<ReleaseRecord, "manifest"> | undefined;
  /** Whether a live object that does not belong to the release may be taken into it. Default: none. */
  readonly mayTake?: ((live: KubeObject) => boolean) | undefined;
  /** What else would go unless the new revision has it. */
  readonly inventory?: readonly ManagedResource[] | undefined;
  /** Of crds/: made or changed before the objects. Default policy: "Create" for an installation, else "Skip". */
  readonly crds?: readonly UnstructuredObject[] | undefined;
  readonly crdPolicy?: CrdPolicy | undefined;
  /** In place of the three-way merge. */
  readonly serverSideApply?: ServerSideApply | undefined;
  /** Fields that other clients set. */
  readonly ignore?: readonly IgnoreRule[] | undefined;
  /** Whether the namespace of the release is created if it does not exist. */
  readonly createNamespace?: boolean | undefined;
  /** Values of Secrets are masked anyway. */
  readonly secrets?: PlanSecrets | undefined;
  readonly signal: AbortSignal;
}

const concurrency = 16;
/** What tells that an object is of a release; others are not taken. */
const owner = { key: "app.kubernetes.io/managed-by", value: "Helm" };

/**
 * What a revision would change on the cluster, object by object, after the three-way merge or server-side apply and by dry runs: nothing changes. Hooks are no
 * objects of a release, and not among them. Throws LandscaperError where the cluster cannot be asked.
 */
export async function previewRevision(options: PreviewOptions): Promise<ObjectChange[]> {
  const { cluster, release, manifest, record, inventory = [], crds = [], signal } = options;
  const { crdPolicy: policy = record === undefined ? "Create" : "Skip" } = options;
  const { live, wanted: definitions } = await planCrds({ cluster, namespace: release.namespace, crds, policy, signal });
  const place = { cluster, namespace: release.namespace, definitions, signal };
  const objects = await placeObjects(await parseManifest(manifest), place);
  const former = await formerObjects(options);
  const ofRelease = record === undefined ? [] : await inventoryOfRelease(record, { cluster, release, signal });
  const contained = definitionIds(crds);
  const removable = [...inventory, ...ofRelease].filter(({ resource }) => !contained.has(resourceId(resource)));
  const changes = await previewObjects(objects, { ...options, definitions, former, inventory: removable });
  return [...(await compareObjects(live, definitions)), ...changes];
}

export interface ObjectPreviewOptions extends Pick<
  PreviewOptions,
  | "cluster"
  | "release"
  | "mayTake"
  | "serverSideApply"
  | "ignore"
  | "secrets"
  | "inventory"
  | "createNamespace"
  | "signal"
> {
  /** What the release has deployed, by `resourceId`. */
  readonly former: ReadonlyMap<string, ReleaseObject>;
  /** CRDs that are there before the objects. */
  readonly definitions?: readonly UnstructuredObject[] | undefined;
}

/** What the objects of a revision would change on the cluster, and what of the inventory would go. */
export async function previewObjects(
  objects: readonly UnstructuredObject[],
  options: ObjectPreviewOptions,
): Promise<ObjectChange[]> {
  const { inventory = [], definitions = [], signal } = options;
  const planned = await mapBounded(objects, { limit: concurrency, signal }, async (item) => planObject(item, options));
  // What is taken is changed, not created.
  const all = [...inventory, ...planned.flatMap(({ entry }) => entry ?? [])];
  const changes = await plan(planned, { ...options, definitions, inventory: all });
  const foreign = new Set(planned.flatMap(({ id, isForeign }) => (isForeign ? [id] : [])));
  return changes.map((change) =>
    foreign.has(resourceId(change.resource))
      ? { ...change, type: "blocked" as const, fields: [], problem: "exists and does not belong to the release" }
      : change,
  );
}

async function plan(
  planned: readonly PlannedObject[],
  {
    cluster,
    inventory,
    mayTake,
    serverSideApply,
    ignore,
    secrets,
    signal,
    release,
    createNamespace,
    definitions,
  }: Omit<ObjectPreviewOptions, "former" | "inventory" | "definitions"> & {
    readonly definitions: readonly UnstructuredObject[];
    readonly inventory: readonly ManagedResource[];
  },
): Promise<ObjectChange[]> {
  const namespaces = createNamespace === true ? [release.namespace] : [];
  const marks = { ...owner, hasFormerMark: mayTake };
  const common = { cluster, owner: marks, definitions, namespaces, ignore, secrets, signal };
  const manifestsOf = (field: "merged" | "desired", items: readonly PlannedObject[]): Manifest[] =>
    items.map((item) => ({ policy: "manage", adopt: true, manifest: item[field] }));
  if (serverSideApply === undefined) {
    return await planDiff({ ...common, manifests: manifestsOf("merged", planned), inventory, strategy: "update" });
  }
  const { force = false, former } = serverSideApply;
  const serverSide = { managers: fieldManagers(former), force };
  return await planDiff({
    ...common,
    manifests: manifestsOf("desired", planned),
    inventory,
    strategy: "apply",
    serverSide,
  });
}

async function formerObjects(options: PreviewOptions): Promise<ReadonlyMap<string, ReleaseObject>> {
  const { cluster, record, release, signal } = options;
  if (record === undefined) return new Map();
  const { namespace } = release;
  const objects = await locateObjects(cluster, await parseManifest(record.manifest), {
    namespace,
    anyVersion: true,
    signal,
  });
  return new Map(objects.map((item) => [resourceId(referenceTo(item.object)), item]));
}

interface PlannedObject {
  readonly id: string;
  /** As the chart has it, with the marks of the release. */
  readonly desired: UnstructuredObject;
  /** As the three-way merge will leave it. */
  readonly merged: UnstructuredObject;
  readonly live: UnstructuredObject | undefined;
  readonly isForeign: boolean;
  /** Of an object that is there and is the release's, or becomes it. */
  readonly entry?: ManagedResource;
}

async function planObject(object: UnstructuredObject, options: ObjectPreviewOptions): Promise<PlannedObject> {
  const { cluster, release, mayTake, former, ignore, signal } = options;
  const id = resourceId(referenceTo(object));
  const desired = markOwned(object, release);
  const live = await findLive(cluster, referenceTo(object), signal);
  const before = former.get(id)?.object;
  const isForeign = live !== undefined && before === undefined && !isMarked(live, release) && mayTake?.(live) !== true;
  if (live === undefined || isForeign) return { id, desired, merged: desired, live, isForeign };
  const modified = await leaveKeptFields({ cluster, manifest: desired, live, ignore, replaces: true, signal });
  const merged = modified === undefined ? live : await merge(live, { original: before ?? desired, modified });
  const entry = { policy: "manage" as const, resource: { ...referenceTo(object), uid: live.metadata.uid } };
  return { id, desired, merged, live, isForeign, entry };
}

async function merge(
  live: UnstructuredObject,
  { original, modified }: { readonly original: UnstructuredObject; readonly modified: UnstructuredObject },
): Promise<UnstructuredObject> {
  const pause = pauseFor(live, modified);
  await pause();
  const { apiVersion, kind } = modified;
  const { type, body } = createThreeWayPatch({ original, modified, current: live }, { apiVersion, kind });
  await pause();
  const patched =
    type === "merge" ? applyMergePatch(live, body) : applyStrategicMergePatch(live, body, { apiVersion, kind });
  await pause();
  // A patch of an object is an object of the same kind.
  return isDeepEqual(patched, live) ? live : (patched as UnstructuredObject);
}
