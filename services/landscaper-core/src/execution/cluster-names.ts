import {
  annotations,
  kubeResources,
  labels,
  LandscaperError,
  type DeployItemTemplate,
  type Secret,
  type Target,
  type TargetSync,
} from "@landscaper/api";
import type { Core } from "../core.ts";
import { annotationOf, labelOf } from "../object-reading.ts";
import { madeLabelValue } from "../target-sync/synced-objects.ts";
import { readKubeconfig, shootOf } from "../target-sync/source-kubeconfig.ts";

/** Names of shoots by item; undefined for items whose Target is known to be of none. */
export type ClusterNames = ReadonlyMap<string, string | undefined>;

/** The one TargetSync of a namespace: with several it is not clear which source tells of a cluster. */
export function soleTargetSync({ informers }: Pick<Core, "informers">, namespace: string): TargetSync | undefined {
  const [targetSync, ...others] = informers.targetSyncs.lister.list({ namespace });
  return others.length === 0 ? targetSync : undefined;
}

/** Whether a TargetSync has made the Target, or the one that it is a copy of (core.md §4.15). */
function isOfTargetSync(target: Target): boolean {
  return labelOf(target, labels.targetSync) === madeLabelValue;
}

/** The shoot of a Target that a TargetSync has made; `secret` is the one that it names. */
export function clusterNameOf(target: Target, secret: Secret | undefined, sourceNamespace: string): string | undefined {
  const { secretRef } = target.spec;
  if (!isOfTargetSync(target) || secretRef === undefined) return undefined;
  // Made of a shoot: Target and Secret have its name; a copy has another, but names the same Secret.
  if (annotationOf(target, annotations.lastTargetSync) !== undefined) return secretRef.name;
  if (secret === undefined) return undefined;
  try {
    return shootOf(readKubeconfig(secret, secretRef), sourceNamespace);
  } catch (error) {
    if (!(error instanceof LandscaperError)) throw error;
    // No kubeconfig of Gardener, whatever else it may be.
    return undefined;
  }
}

interface FindOptions {
  readonly namespace: string;
  readonly templates: readonly DeployItemTemplate[];
}

/** The clusters of the items that are not to be uninstalled when their cluster is gone (core.md §1.1 no. 23). */
export async function findClusterNames(
  core: Core,
  { namespace, templates }: FindOptions,
  signal: AbortSignal,
): Promise<ClusterNames> {
  const targetSync = soleTargetSync(core, namespace);
  const asking = templates.filter(({ onDelete }) => onDelete?.skipUninstallIfClusterRemoved === true);
  if (targetSync === undefined || asking.length === 0) return new Map();
  const { sourceNamespace } = targetSync.spec;
  const findName = async (target: Target): Promise<string | undefined> => {
    const { secretRef } = target.spec;
    if (!isOfTargetSync(target) || secretRef === undefined) return undefined;
    const secret = await core.client.find(kubeResources.secret, { namespace, name: secretRef.name }, { signal });
    return clusterNameOf(target, secret, sourceNamespace);
  };
  const found = await Promise.all(
    asking.map(async ({ name, target: reference }) => {
      const target = core.informers.targets.lister.get({ namespace, name: reference?.name ?? "" });
      return target === undefined ? [] : [[name, await findName(target)] as const];
    }),
  );
  return new Map(found.flat());
}
