import { LandscaperError } from "@landscaper/api";
import { isAddressable, referenceTo } from "../cluster/resource-reference.ts";
import { findTypeOrNone, type TargetCluster } from "../cluster/target-cluster.ts";
import { surelyAddressable } from "../manifests/inventory.ts";
import type { Manifest } from "../manifests/manifest.ts";
import { crdTypes } from "./custom-resource-definitions.ts";

/**
 * Returns the manifests whose objects the cluster can have, to be recorded before they are written. The others are refused when they are applied; a kind that
 * the cluster does not serve yet is recorded by a later pass.
 */
export async function findAddressable(
  { cluster, manifests }: { readonly cluster: TargetCluster; readonly manifests: readonly Manifest[] },
  signal: AbortSignal,
): Promise<readonly Manifest[]> {
  const sure = new Set(surelyAddressable(manifests));
  if (sure.size === manifests.length) return manifests;
  const types = crdTypes(manifests.map(({ manifest }) => manifest));
  const found: Manifest[] = [];
  for (const each of manifests) {
    if (sure.has(each) || (await isServed(each))) found.push(each);
  }
  return found;

  async function isServed({ manifest }: Manifest): Promise<boolean> {
    const reference = referenceTo(manifest);
    try {
      const type = types.typeOf(reference) ?? (await findTypeOrNone(cluster, reference, signal));
      return type !== undefined && isAddressable(reference, type.namespaced);
    } catch (error) {
      // The apply reports it with the object.
      if (!(error instanceof LandscaperError)) throw error;
      return false;
    }
  }
}
