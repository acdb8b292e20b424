import { emptyingError, pruningError, type AllowedRemovals, type UnstructuredObject } from "@landscaper/api";
import { isAnswerTooLarge } from "@landscaper/controller-runtime";
import { crdTypes } from "../apply/custom-resource-definitions.ts";
import { fieldAt, isJsonObject } from "../json-value.ts";
import { isCustomResourceDefinition } from "../manifests/group-manifests.ts";
import { mapBounded } from "../map-bounded.ts";
import { resourceFailure } from "../cluster/resource-failure.ts";
import { formatResource, groupOf, resourceId, type ResourceReference } from "../cluster/resource-reference.ts";
import { findRecorded, type TargetCluster } from "../cluster/target-cluster.ts";

/** An object that a job is going to remove, if it is (still) ours. */
export interface PlannedRemoval {
  readonly resource: ResourceReference;
  /** Whether the live object is one that the job would delete. */
  readonly isOurs: (live: UnstructuredObject) => boolean;
}

export interface RemovalCheck {
  readonly cluster: TargetCluster;
  readonly removals: readonly PlannedRemoval[];
  /** Whether the job leaves other objects. */
  readonly leavesObjects: boolean;
  readonly allowed: AllowedRemovals;
  readonly signal: AbortSignal;
}

const concurrency = 16;

/**
 * To be asked before the first write of a job: throws a LandscaperError (EmptyingHeldBack, PruningHeldBack) that lists what the job would remove,
 * when it would leave nothing, or remove Namespaces, PersistentVolumeClaims or CRDs with instances, and may not. The target is only asked for these.
 */
export async function checkRemovals(check: RemovalCheck): Promise<void> {
  const { removals, leavesObjects, allowed } = check;
  if (removals.length > 0 && !leavesObjects && !allowed.empty) {
    const names = removals.map(({ resource }) => formatResource(resource));
    throw emptyingError("no object of the deploy item", names);
  }
  if (allowed.prune) return;
  const guarded = await findGuarded(check);
  if (guarded.length > 0) throw pruningError(guarded);
}

/** What holds the data of users, as messages name it. */
async function findGuarded({ cluster, removals, signal }: RemovalCheck): Promise<readonly string[]> {
  const candidates = removals.filter(({ resource }) => isGuarded(resource));
  const going = new Set(removals.map(({ resource }) => resourceId(resource)));
  const found = await mapBounded(candidates, { limit: concurrency, signal }, async ({ resource, isOurs }) => {
    const live = await findRecorded(cluster, resource, signal);
    if (live === undefined || live.metadata.deletionTimestamp !== undefined || !isOurs(live)) return [];
    if (!isCustomResourceDefinition(resource)) return [formatResource(resource)];
    return (await hasInstances(live, { cluster, going, signal })) ? [`${formatResource(resource)} with instances`] : [];
  });
  return found.flat();
}

function isGuarded(resource: ResourceReference): boolean {
  if (isCustomResourceDefinition(resource)) return true;
  return groupOf(resource.apiVersion) === "" && ["Namespace", "PersistentVolumeClaim"].includes(resource.kind);
}

/** Instances that the job removes as well (`going`) do not count. */
async function hasInstances(
  definition: UnstructuredObject,
  { cluster, going, signal }: Pick<RemovalCheck, "cluster" | "signal"> & { readonly going: ReadonlySet<string> },
): Promise<boolean> {
  const group = fieldAt(definition, "spec", "group");
  const kind = fieldAt(definition, "spec", "names", "kind");
  const version = servedVersion(definition);
  // What is not served has no instances that anybody could ask for.
  if (typeof group !== "string" || typeof kind !== "string" || version === undefined) return false;
  const apiVersion = `${group}/${version}`;
  const type = crdTypes([definition]).typeOf({ apiVersion, kind });
  if (type === undefined) return false;
  try {
    const { items } = await cluster.client.list(type, { limit: 500, metadataOnly: true, signal });
    return items.some(({ metadata: { name = "", namespace } }) => {
      return !going.has(resourceId({ apiVersion, kind, name, namespace }));
    });
  } catch (error) {
    if (isAnswerTooLarge(error)) return true;
    throw await resourceFailure(error, { verb: "list", reference: { apiVersion, kind, name: "*" } });
  }
}

function servedVersion(definition: UnstructuredObject): string | undefined {
  const versions = fieldAt(definition, "spec", "versions");
  if (!Array.isArray(versions)) return undefined;
  const served = versions.find((version) => isJsonObject(version) && version["served"] === true);
  const name = isJsonObject(served) ? served["name"] : undefined;
  return typeof name === "string" ? name : undefined;
}
