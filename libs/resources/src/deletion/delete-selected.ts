import { LandscaperError, type UnstructuredObject } from "@landscaper/api";
import { awaitObject, type AwaitedObjects } from "../readiness/awaited-objects.ts";
import type { DeletionOptions, DeletionResult } from "./delete-resources.ts";
import { isSelected, type DeletionStep, type ResourceSelection } from "./deletion-groups.ts";
import { mapBounded } from "../map-bounded.ts";
import { removeObject, type RemovalProblem } from "./remove-object.ts";
import { resourceFailure } from "../cluster/resource-failure.ts";
import { formatResource, referenceTo } from "../cluster/resource-reference.ts";
import { workWhereServed, type TargetCluster } from "../cluster/target-cluster.ts";

const concurrency = 10;

/**
 * A group with `deleteAllResources`: deletes every live object that it selects, managed or not, in the item's target or a
 * secondary one (deployers.md §3.5).
 */
export async function deleteSelected(
  options: DeletionOptions & { readonly step: DeletionStep },
): Promise<DeletionResult> {
  const { step, signal } = options;
  // What no item has marked is meant, too; what another one has is not.
  const owner = { ...options.owner, hasFormerMark: () => true };
  const custom = step.group.customResourceGroup;
  const cluster = custom?.targetName === undefined ? options.cluster : await options.clusterOf(custom.targetName);
  const waitingFor: string[] = [];
  const awaited: AwaitedObjects[] = [];
  const failures: LandscaperError[] = [];
  const left: string[] = [];
  const problems: RemovalProblem[] = [];
  const onProblem = (problem: RemovalProblem): void => void problems.push(problem);
  for (const selection of custom?.resources ?? []) {
    const objects = await listSelected(cluster, selection, signal);
    await mapBounded(objects, { limit: concurrency, signal }, async (object) => {
      try {
        const entry = { resource: referenceTo(object) };
        const removal = await removeObject({ cluster, entry, owner, forceDelete: step.forceDelete, onProblem, signal });
        if (removal === "foreign") left.push(formatResource(entry.resource));
        if (removal !== "terminating") return;
        waitingFor.push(formatResource(entry.resource));
        awaited.push(awaitObject(cluster, entry.resource));
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof LandscaperError)) throw error;
        failures.push(error);
      }
    });
  }
  // Entries of the inventory never fall to such a group's own deletion: they were selected like every other object.
  const remaining = waitingFor.length + failures.length > 0 ? step.entries : [];
  return { remaining, waitingFor, awaited, failures, left, problems };
}

async function listSelected(
  cluster: TargetCluster,
  selection: ResourceSelection,
  signal: AbortSignal,
): Promise<UnstructuredObject[]> {
  const reference = { apiVersion: selection.apiVersion, kind: selection.kind, name: "*" };
  try {
    const items = await workWhereServed<readonly UnstructuredObject[]>(
      { cluster, reference, absent: [], signal },
      async (type) => (await cluster.client.list(type, { signal })).items,
    );
    // Items of a list come without their own apiVersion and kind from some servers.
    return items
      .map((item) => ({ ...item, apiVersion: selection.apiVersion, kind: selection.kind }))
      .filter((item) => isSelected(selection, referenceTo(item)));
  } catch (error) {
    throw await resourceFailure(error, { verb: "list", reference });
  }
}
