import { annotations, finalizer, qualifyType, resources, type DeployItem } from "@landscaper/api";
import type { Core } from "../core.ts";
import { hasAnnotation, isDeleting } from "../object-reading.ts";
import { releaseObject } from "../release-object.ts";

/** Types whose deployers mark what they deploy as that of the item, and take the marks off when it goes without being uninstalled. */
const markingTypes: ReadonlySet<string> = new Set(["helm", "kubernetes-manifest"].map(qualifyType));

/** Whether the item goes without being uninstalled. */
export function isLeaving(item: DeployItem): boolean {
  return isDeleting(item) && hasAnnotation(item, annotations.deleteWithoutUninstall);
}

/** Whether such an item has something that its deployer can unmark. Deployers of other types may not know the annotation: they would uninstall it. */
export function isUnmarked(item: DeployItem): boolean {
  return markingTypes.has(qualifyType(item.spec.type)) && item.status?.jobIDFinished !== undefined;
}

/** Lets an item go without its deployer. */
export async function releaseItem(core: Core, item: DeployItem, signal: AbortSignal): Promise<void> {
  if (!(item.metadata.finalizers ?? []).includes(finalizer)) return;
  await releaseObject(core.client, { type: resources.deployItem, object: item }, signal);
  core.announcer.released(item);
}
