import type { UnstructuredObject } from "@landscaper/api";
import { isConflict } from "@landscaper/controller-runtime";
import { isDeepEqual } from "@landscaper/patch";
import { deepMerge } from "./deep-merge.ts";
import { maxRaces } from "../cluster/lost-race.ts";
import type { AppliedObject, Manifest } from "../manifests/manifest.ts";
import { resourceFailure } from "../cluster/resource-failure.ts";
import { keyOfReference, referenceTo, resourceId } from "../cluster/resource-reference.ts";
import { findType, type TargetCluster } from "../cluster/target-cluster.ts";

export interface PatchOptions {
  readonly cluster: TargetCluster;
  /** Expanded; those without `patchAfterDeployment` are skipped. */
  readonly manifests: readonly Manifest[];
  /** By `resourceId`: what is not managed (released by `fallback`) is not patched. */
  readonly applied: ReadonlyMap<string, AppliedObject>;
  readonly signal: AbortSignal;
}

/**
 * Merges `patchAfterDeployment` over the live objects once everything is ready and exported (deployers.md §1.2). Objects that
 * already have it are not written.
 */
export async function patchAfterDeployment(options: PatchOptions): Promise<void> {
  for (const manifest of options.manifests) {
    const isManaged = options.applied.get(resourceId(referenceTo(manifest.manifest)))?.entry !== undefined;
    if (!isManaged || manifest.patchAfterDeployment === undefined) continue;
    await patchObject(manifest, manifest.patchAfterDeployment, options);
  }
}

async function patchObject(
  { manifest }: Manifest,
  patch: Record<string, unknown>,
  { cluster, signal }: PatchOptions,
): Promise<void> {
  const reference = referenceTo(manifest);
  const type = await findType(cluster, reference, signal);
  for (let races = 0; ;) {
    try {
      const live = await cluster.client.get(type, keyOfReference(reference, type.namespaced), { signal });
      // The merge keeps apiVersion, kind and metadata of the live object, so the result is an object again.
      const patched = deepMerge(live, patch, { override: true }) as UnstructuredObject;
      if (!isDeepEqual(patched, live)) await cluster.client.update(type, patched, { signal });
      return;
    } catch (error) {
      if (isConflict(error) && races++ < maxRaces) continue;
      throw await resourceFailure(error, {
        verb: "patch",
        reference,
        sent: deepMerge(manifest, patch, { override: true }),
        secrets: cluster.sentSecrets,
      });
    }
  }
}
