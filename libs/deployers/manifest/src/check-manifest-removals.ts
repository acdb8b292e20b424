import type { AllowedRemovals, DeployItem } from "@landscaper/api";
import {
  checkRemovals,
  planRemovals,
  type ManagedResource,
  type Manifest,
  type TargetCluster,
} from "@landscaper/resources";
import type { ManifestConfig } from "./manifest-config.ts";
import { ownerOf } from "./owner-of.ts";

export interface ManifestRemovals {
  readonly item: DeployItem;
  readonly config: ManifestConfig;
  readonly inventory: readonly ManagedResource[];
  readonly cluster: TargetCluster;
  readonly removals: AllowedRemovals;
  readonly signal: AbortSignal;
}

/** Throws LandscaperError if a job with this configuration would remove more than it may. Only reads from the target. */
export async function checkRemovalsOf(options: ManifestRemovals): Promise<void> {
  const { item, config, inventory, cluster, removals: allowed, signal } = options;
  const { manifests, deletionGroupsDuringUpdate: groups } = config;
  const removals = planRemovals({ inventory, manifests, groups, owner: ownerOf(item, config) });
  await checkRemovals({ cluster, removals, leavesObjects: manifests.some(isContent), allowed, signal });
}

/** Neither an object that is only read, nor the namespace that a chart's objects are put into. */
function isContent({ policy, manifest }: Manifest): boolean {
  return policy !== "ignore" && !(policy === "keep" && manifest.kind === "Namespace");
}
