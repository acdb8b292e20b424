import { annotations, LandscaperError, type DeployItem } from "@landscaper/api";
import { describeError } from "@landscaper/controller-runtime";
import type { Core } from "../core.ts";
import { annotationOf, isDeleting, nameOf } from "../object-reading.ts";
import { openSource } from "../target-sync/open-source.ts";
import { soleTargetSync } from "./cluster-names.ts";

/** The shoot that has to be asked for before the item is uninstalled; undefined: it is uninstalled in any case. */
export function clusterToConfirm(item: DeployItem): string | undefined {
  const isAsking = isDeleting(item) && item.spec.onDelete?.skipUninstallIfClusterRemoved === true;
  return isAsking ? annotationOf(item, annotations.clusterName) : undefined;
}

/**
 * Which of the items have lost their cluster: its shoot is gone or being deleted (core.md §2.6). When nobody can tell, they have
 * not: the deployer tries.
 */
export async function findItemsWithoutCluster(
  core: Core,
  { namespace, items }: { readonly namespace: string; readonly items: readonly DeployItem[] },
  signal: AbortSignal,
): Promise<ReadonlySet<DeployItem>> {
  const asking = items.filter((item) => clusterToConfirm(item) !== undefined);
  const targetSync = soleTargetSync(core, namespace);
  if (asking.length === 0 || targetSync === undefined) return new Set();
  try {
    const { source } = await openSource(core, targetSync, signal);
    try {
      // A list, because that an API server does not know shoots at all must not look like the absence of one.
      const shoots = await source.listShoots();
      const alive = new Set(shoots.filter((shoot) => !isDeleting(shoot)).map(nameOf));
      const lost = asking.filter((item) => !alive.has(clusterToConfirm(item) ?? ""));
      if (lost.length > 0)
        core.log.info({ namespace, items: lost.map(nameOf) }, "not uninstalled: the cluster is gone");
      return new Set(lost);
    } finally {
      await source.close();
    }
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof LandscaperError)) throw error;
    const names = asking.map(nameOf);
    core.log.warn(
      { namespace, items: names, error: describeError(error) },
      "nobody can tell whether the cluster is gone",
    );
    return new Set();
  }
}
