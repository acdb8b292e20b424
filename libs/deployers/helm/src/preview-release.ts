import type { UnstructuredObject } from "@landscaper/api";
import type { Preview } from "@landscaper/deployer";
import {
  locateObjects,
  markOwned,
  parseManifest,
  type ReleaseObject,
  type ReleaseRecord,
} from "@landscaper/helm-release";
import { ownerOf } from "@landscaper/manifest-deployer-lib";
import { isDeepEqual, applyMergePatch, applyStrategicMergePatch, createThreeWayPatch } from "@landscaper/patch";
import {
  findLive,
  formatPlan,
  mapBounded,
  planDiff,
  referenceTo,
  resourceId,
  summarizePlan,
  type Manifest,
  type TargetCluster,
} from "@landscaper/resources";
import { inventoryOfRelease, isOwned } from "./adopt-objects.ts";
import type { HelmConfig } from "./helm-config.ts";
import { contentOf, renderItem, type RenderingOptions } from "./helm-rendering.ts";
import { readHelmStatus } from "./helm-status.ts";
import { planRelease } from "./plan-release.ts";
import { releaseContext } from "./release-access.ts";

const concurrency = 16;
/** What tells that an object is of a release; others are not taken. */
const owner = { key: "app.kubernetes.io/managed-by", value: "Helm" };

/** What a job would change on the target, object by object; hooks are not objects of the release. Nothing changes. */
export async function previewRelease(options: Omit<RenderingOptions, "revision" | "isUpgrade">): Promise<Preview> {
  const { context, cluster } = options;
  const { config, signal } = context;
  const release = { name: config.name, namespace: config.namespace };
  const history = await releaseContext(release, cluster, context).store.history({ signal });
  const plan = planRelease({ history, status: undefined, inputs: "" });
  if (plan.type === "unchanged") throw new TypeError("without inputs there is always something to deploy");
  const content = contentOf(await renderItem({ ...options, ...plan }), config.values);
  const objects = await locateObjects(cluster, parseManifest(content.manifest), { ...release, signal });
  const record = history.findLast(({ info }) => info.status === "deployed") ?? history.at(-1);
  const former = await formerObjects(record, { cluster, config, signal });
  const planned = await mapBounded(objects, { limit: concurrency, signal }, async (item) =>
    planObject(item, { cluster, context, former }),
  );
  const ofRelease = record === undefined ? [] : await inventoryOfRelease(record, { cluster, release, signal });
  const { mode, managedResources } = readHelmStatus(context.providerStatus);
  const inventory = mode === "manifests" ? [...managedResources, ...ofRelease] : ofRelease;
  const manifests = planned.map(({ manifest }) => manifest);
  const foreign = new Map(planned.flatMap(({ id, isForeign }) => (isForeign ? [[id, true]] : [])));
  const changes = (await planDiff({ cluster, manifests, inventory, strategy: "update", owner, signal })).map((change) =>
    foreign.has(resourceId(change.resource))
      ? { ...change, type: "blocked" as const, fields: [], problem: "exists and does not belong to the release" }
      : change,
  );
  const changing = changes.filter(({ type }) => type !== "unchanged");
  return { summary: summarizePlan(changes), text: formatPlan(changes), changes: changing };
}

interface PlanContext {
  readonly cluster: TargetCluster;
  readonly config: HelmConfig;
  readonly signal: AbortSignal;
}

async function formerObjects(
  record: ReleaseRecord | undefined,
  { cluster, config, signal }: PlanContext,
): Promise<ReadonlyMap<string, ReleaseObject>> {
  if (record === undefined) return new Map();
  const { namespace } = config;
  const objects = await locateObjects(cluster, parseManifest(record.manifest), {
    namespace,
    skipUnknown: true,
    signal,
  });
  return new Map(objects.map((item) => [resourceId(referenceTo(item.object)), item]));
}

interface PlannedObject {
  readonly id: string;
  readonly manifest: Manifest;
  readonly isForeign: boolean;
}

/** The object as the three-way merge will leave it. */
async function planObject(
  { object }: ReleaseObject,
  {
    cluster,
    context,
    former,
  }: Pick<RenderingOptions, "cluster" | "context"> & {
    readonly former: ReadonlyMap<string, ReleaseObject>;
  },
): Promise<PlannedObject> {
  const { config, item, signal } = context;
  const id = resourceId(referenceTo(object));
  const desired = markOwned(object, config);
  const live = await findLive(cluster, referenceTo(object), signal);
  const before = former.get(id)?.object;
  if (live === undefined) return { id, manifest: { policy: "manage", manifest: desired }, isForeign: false };
  const { install, upgrade } = config.options;
  const takes = (former.size > 0 ? upgrade : install)?.takeOwnership === true;
  const own = ownerOf(item);
  // What the item has as manifests is handed over.
  const isTheItems = live.metadata.labels?.[own.key] === own.value;
  const isForeign = before === undefined && !takes && !isTheItems && !isOwned(live, config);
  const manifest = isForeign ? desired : merged(live, { original: before ?? desired, modified: desired });
  return { id, manifest: { policy: "manage", adopt: true, manifest }, isForeign };
}

function merged(
  live: UnstructuredObject,
  { original, modified }: { readonly original: UnstructuredObject; readonly modified: UnstructuredObject },
): UnstructuredObject {
  const { apiVersion, kind } = modified;
  const { type, body } = createThreeWayPatch({ original, modified, current: live }, { apiVersion, kind });
  const patched =
    type === "merge" ? applyMergePatch(live, body) : applyStrategicMergePatch(live, body, { apiVersion, kind });
  // A patch of an object is an object of the same kind.
  return isDeepEqual(patched, live) ? live : (patched as UnstructuredObject);
}
