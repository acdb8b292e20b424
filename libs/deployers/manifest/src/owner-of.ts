import { labels, type DeployItem } from "@landscaper/api";
import { ownerLabelValue, type OwnerLabel } from "@landscaper/resources";

/** The label of everything that an item manages (deployers.md §1.2). */
export function ownerOf(item: DeployItem): OwnerLabel {
  return { key: labels.manifestDeployItem, value: ownerLabelValue(item.metadata.name ?? "") };
}
