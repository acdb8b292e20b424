import { annotations, labels, type DeployItem, type KubeObject } from "@landscaper/api";
import { ownerLabelValue, type OwnerLabel } from "@landscaper/resources";
import type { ManifestConfig } from "./manifest-config.ts";

/** The marks of everything that an item manages (deployers.md §1.2). */
export function ownerOf(item: DeployItem, config: Pick<ManifestConfig, "formerMark"> = {}): OwnerLabel {
  const { namespace = "", name = "", uid = "" } = item.metadata;
  const value = ownerLabelValue(name);
  // The original's helm deployer has a label of its own.
  const hasFormerMark = (object: KubeObject): boolean =>
    object.metadata.labels?.[labels.helmDeployItem] === value || config.formerMark?.(object) === true;
  const { [labels.managedBy]: installation, [labels.managedName]: itemName } = item.metadata.labels ?? {};
  return {
    key: labels.manifestDeployItem,
    value,
    item: { namespace, name, uid },
    hub: item.metadata.annotations?.[annotations.hubId],
    // An Execution has the name of its Installation.
    title: installation === undefined || itemName === undefined ? undefined : `${installation}/${itemName}`,
    hasFormerMark,
  };
}
