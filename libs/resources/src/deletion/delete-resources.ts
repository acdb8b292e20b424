import { LandscaperError, type DeletionGroup } from "@landscaper/api";
import { awaitObject, type AwaitedObjects } from "../readiness/awaited-objects.ts";
import { confirmOwned } from "./confirm-owned.ts";
import { deleteSelected } from "./delete-selected.ts";
import { planDeletion, type DeletionStep } from "./deletion-groups.ts";
import type { ManagedResource } from "../manifests/manifest.ts";
import { mapBounded } from "../map-bounded.ts";
import type { OwnerLabel } from "../cluster/owner-label.ts";
import { removeObject, type RemovalProblem } from "./remove-object.ts";
import { formatResource } from "../cluster/resource-reference.ts";
import type { TargetCluster } from "../cluster/target-cluster.ts";

export interface DeletionOptions {
  readonly cluster: TargetCluster;
  /** What shall go; deciding needs neither template nor manifests. */
  readonly entries: readonly ManagedResource[];
  /** Default: namespaced, cluster-scoped, CRDs. */
  readonly groups?: readonly DeletionGroup[] | undefined;
  readonly owner: OwnerLabel;
  /** The cluster of a secondary target, for `deleteAllResources` groups with targetName. */
  readonly clusterOf: (targetName: string) => Promise<TargetCluster>;
  readonly concurrency?: number | undefined;
  readonly signal: AbortSignal;
}

export interface DeletionResult {
  /** Entries that are not confirmed gone (or left in place on purpose); empty = done. */
  readonly remaining: readonly ManagedResource[];
  /** Objects that finalizers keep, for messages. */
  readonly waitingFor: readonly string[];
  /** The same objects. */
  readonly awaited: readonly AwaitedObjects[];
  readonly failures: readonly LandscaperError[];
  /** Objects of the inventory that were left because they do not bear our mark, for messages. */
  readonly left: readonly string[];
  /** What could not be done although the objects are dealt with, for warnings. */
  readonly problems: readonly RemovalProblem[];
}

const defaultConcurrency = 32;
const nothingRemains: DeletionResult = {
  remaining: [],
  waitingFor: [],
  awaited: [],
  failures: [],
  left: [],
  problems: [],
};

/**
 * One pass of a deletion in groups (deployers.md §3.5): deletes what can be deleted and returns what still has to go. A group
 * starts when the one before it is gone. Nothing waits here: the caller comes back with `remaining`. With nothing to
 * delete no group does anything, also none that deletes all objects of a kind.
 */
export async function deleteResources(options: DeletionOptions): Promise<DeletionResult> {
  const { entries, groups } = options;
  if (entries.length === 0) return nothingRemains;
  const { steps, abandoned } = planDeletion(entries, groups);
  const left: string[] = [];
  const problems: RemovalProblem[] = [];
  for (const [index, step] of steps.entries()) {
    const result = await performStep(step, options);
    left.push(...result.left);
    problems.push(...result.problems);
    if (result.waitingFor.length === 0 && result.failures.length === 0) continue;
    const later = steps.slice(index + 1).flatMap((next) => next.entries);
    // What no group selects is forgotten only at the end: until then somebody may correct the groups.
    return { ...result, left, problems, remaining: keepOne([...result.remaining, ...later, ...abandoned], entries) };
  }
  return { ...nothingRemains, left, problems };
}

/** A pass over objects that belong to no inventory must not end the deletion: one entry is kept as its mark. */
function keepOne(remaining: ManagedResource[], entries: readonly ManagedResource[]): readonly ManagedResource[] {
  return remaining.length > 0 ? remaining : entries.slice(0, 1);
}

async function performStep(step: DeletionStep, options: DeletionOptions): Promise<DeletionResult> {
  const custom = step.group.customResourceGroup;
  if (custom?.deleteAllResources === true) return await deleteSelected({ ...options, step });
  const { cluster, owner, signal, concurrency = defaultConcurrency } = options;
  const failures: LandscaperError[] = [];
  const left: string[] = [];
  const problems: RemovalProblem[] = [];
  const onProblem = (problem: RemovalProblem): void => void problems.push(problem);
  const owned = await confirmOwned({ cluster, entries: step.entries, owner, signal }).catch((error: unknown) => {
    signal.throwIfAborted();
    if (!(error instanceof LandscaperError)) throw error;
    // Who may not list can still look at each.
    return new Set<string>();
  });
  const pending = await mapBounded(step.entries, { limit: concurrency, signal }, async (entry) => {
    try {
      const removal = await removeObject({
        cluster,
        entry,
        owner,
        owned,
        forceDelete: step.forceDelete,
        onProblem,
        signal,
      });
      if (removal === "foreign") left.push(formatResource(entry.resource));
      return removal === "terminating" ? [entry] : [];
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof LandscaperError)) throw error;
      failures.push(error);
      return [entry];
    }
  });
  const remaining = pending.flat();
  const waitingFor = remaining.map(({ resource }) => formatResource(resource));
  const awaited = remaining.map(({ resource }) => awaitObject(cluster, resource));
  return { remaining, waitingFor, awaited, failures, left, problems };
}
