import type { DeletionGroup } from "@landscaper/api";
import type { PlannedRemoval } from "./check-removals.ts";
import { decideRemoval } from "./decide-removal.ts";
import { planDeletion } from "./deletion-groups.ts";
import type { OwnerLabel } from "../cluster/owner-label.ts";
import { referenceTo, resourceId } from "../cluster/resource-reference.ts";
import type { ManagedResource, Manifest } from "../manifests/manifest.ts";

export interface RemovalPlanOptions {
  readonly inventory: readonly ManagedResource[];
  /** What the job is going to apply. */
  readonly manifests: readonly Manifest[];
  /** Those of the pruning; see `deleteResources`. */
  readonly groups: readonly DeletionGroup[] | undefined;
  readonly owner: OwnerLabel;
}

/** What a job is going to prune of its inventory, before it has applied anything: only what is known to have been there, and is not to be kept. */
export function planRemovals({ inventory, manifests, groups, owner }: RemovalPlanOptions): readonly PlannedRemoval[] {
  const wanted = new Set(manifests.map(({ manifest }) => resourceId(referenceTo(manifest))));
  const former = inventory.filter(
    ({ policy, resource }) =>
      policy !== "keep" && policy !== "ignore" && resource.uid !== undefined && !wanted.has(resourceId(resource)),
  );
  return planDeletion(former, groups).steps.flatMap(({ entries }) =>
    entries.map((entry) => ({
      resource: entry.resource,
      isOurs: (live) => ["delete", "prepare"].includes(decideRemoval(entry, live, owner).type),
    })),
  );
}
