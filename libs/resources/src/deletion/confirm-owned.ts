import type { KubeObject } from "@landscaper/api";
import { groupByKind } from "../manifests/group-by-kind.ts";
import { isOwnedBy, type OwnerLabel } from "../cluster/owner-label.ts";
import type { ManagedResource } from "../manifests/manifest.ts";
import { isAddressable } from "../cluster/resource-reference.ts";
import { resourceFailure } from "../cluster/resource-failure.ts";
import { workWhereServed, type TargetCluster } from "../cluster/target-cluster.ts";

export interface ConfirmOptions {
  readonly cluster: TargetCluster;
  readonly entries: readonly ManagedResource[];
  readonly owner: OwnerLabel;
  readonly signal: AbortSignal;
}

/** From so many objects of a kind and namespace on, one list is cheaper than a look at each. */
const leastToList = 4;

/**
 * Uids of the entries that surely bear our label now, found with one list of metadata for many objects of the same kind and
 * namespace. What is not among them has to be looked at. Throws LandscaperError when a list is refused.
 */
export async function confirmOwned({ cluster, entries, owner, signal }: ConfirmOptions): Promise<ReadonlySet<string>> {
  const confirmed = new Set<string>();
  for (const group of groupByKind(entries.filter(isWorthConfirming), ({ resource }) => resource)) {
    const [first] = group;
    if (first === undefined || group.length < leastToList) continue;
    const { apiVersion, kind, namespace } = first.resource;
    const labelSelector = `${owner.key}=${owner.value}`;
    try {
      const items = await workWhereServed<readonly KubeObject[]>(
        { cluster, reference: first.resource, absent: [], signal },
        async (type) => {
          if (!isAddressable(first.resource, type.namespaced)) return [];
          return (await cluster.client.list(type, { namespace, labelSelector, metadataOnly: true, signal })).items;
        },
      );
      for (const item of items) {
        if (isOwnedBy(item, owner) && item.metadata.uid !== undefined) confirmed.add(item.metadata.uid);
      }
    } catch (error) {
      throw await resourceFailure(error, { verb: "list", reference: { apiVersion, kind, name: "*", namespace } });
    }
  }
  return confirmed;
}

function isWorthConfirming({ policy, resource }: ManagedResource): boolean {
  return policy !== "keep" && policy !== "ignore" && resource.uid !== undefined;
}
