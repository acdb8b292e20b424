import type { UnstructuredObject } from "@landscaper/api";
import { ApiError } from "@landscaper/controller-runtime";
import type { UnstructuredType } from "./discovery.ts";
import { groupByKind } from "../manifests/group-by-kind.ts";
import type { Manifest } from "../manifests/manifest.ts";
import { isOwnedBy, type OwnerLabel } from "./owner-label.ts";
import { resourceFailure } from "./resource-failure.ts";
import { referenceTo, resourceId } from "./resource-reference.ts";
import type { TargetCluster } from "./target-cluster.ts";

export interface ListOptions {
  readonly cluster: TargetCluster;
  readonly wanted: readonly { readonly manifest: Manifest; readonly type: UnstructuredType }[];
  readonly owner: OwnerLabel;
  readonly signal: AbortSignal;
}

/** From so many objects of a kind and namespace on, one list is cheaper than a look at each. */
const leastToList = 10;

/**
 * The wanted objects that bear our label, by `resourceId`, as far as they are many of the same kind and namespace. The others, and
 * those that we may not list, have to be looked at one by one. Throws LandscaperError when the target does not answer.
 */
export async function listOwned(options: ListOptions): Promise<ReadonlyMap<string, UnstructuredObject>> {
  const groups = groupByKind(options.wanted, ({ manifest }) => referenceTo(manifest.manifest));
  const worthIt = groups.filter(({ length }) => length >= leastToList);
  const lists = await Promise.all(worthIt.map(async (group) => await listGroup(options, group)));
  return new Map(lists.flat().map((object) => [resourceId(referenceTo(object)), object]));
}

async function listGroup(
  { cluster, owner, signal }: ListOptions,
  [first]: ListOptions["wanted"],
): Promise<readonly UnstructuredObject[]> {
  if (first === undefined) return [];
  const { apiVersion, kind, namespace } = referenceTo(first.manifest.manifest);
  const labelSelector = `${owner.key}=${owner.value}`;
  const scope = first.type.namespaced ? { namespace } : {};
  try {
    const { items } = await cluster.client.list(first.type, { ...scope, labelSelector, signal });
    return items.filter((item) => isOwnedBy(item, owner));
  } catch (error) {
    // To be refused a list is no reason to be refused the objects.
    if (error instanceof ApiError) return [];
    throw await resourceFailure(error, { verb: "list", reference: { apiVersion, kind, name: "*", namespace } });
  }
}
