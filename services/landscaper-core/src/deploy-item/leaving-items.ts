import {
  annotations,
  finalizer,
  isJobAtWork,
  isJobOpen,
  qualifyType,
  resources,
  type DeployItem,
} from "@landscaper/api";
import type { Core } from "../core.ts";
import { removeFinalizer } from "../finalizers.ts";
import { hasAnnotation, hasFinalizer, isDeleting } from "../object-reading.ts";

/** Types whose deployers mark what they deploy, and remove the marks when the item is deleted without uninstalling it. */
const markingTypes: ReadonlySet<string> = new Set(["helm", "kubernetes-manifest"].map(qualifyType));

/** Whether the item is deleted without uninstalling it. */
export function isLeaving(item: DeployItem): boolean {
  return isDeleting(item) && hasAnnotation(item, annotations.deleteWithoutUninstall);
}

/** Whether a deployer can remove marks of such an item. Deployers of other types may not know the annotation: they would uninstall the item. */
export function mayHaveMarks(item: DeployItem): boolean {
  return markingTypes.has(qualifyType(item.spec.type)) && item.status?.jobIDFinished !== undefined;
}

/** Whether the core removes the finalizer without waiting for a deployer: the item has no marks to remove, and no deployer is deploying it. */
export function isReleasedAtOnce(item: DeployItem): boolean {
  return isLeaving(item) && !mayHaveMarks(item) && hasFinalizer(item, finalizer) && !isDeploying(item);
}

/** Whether a deployer works on the item, and not to uninstall it. */
function isDeploying({ status }: DeployItem): boolean {
  const { phase } = status ?? {};
  return isJobOpen(status) && isJobAtWork(phase) && phase !== "InitDelete" && phase !== "Deleting";
}

/**
 * Whether the core removes the finalizer of such an item after a while. Not while a deployer deploys it: half a job must not be left. A deletion that
 * has failed need not be tried again.
 */
export function isReleased(item: DeployItem): boolean {
  const { phase } = item.status ?? {};
  const isAsked = isJobOpen(item.status) || phase === "DeleteFailed";
  return isLeaving(item) && mayHaveMarks(item) && isAsked && !isDeploying(item);
}

/** Removes the finalizer of an item without its deployer. */
export async function releaseItem(core: Core, item: DeployItem, signal: AbortSignal): Promise<void> {
  if (!hasFinalizer(item, finalizer)) return;
  await removeFinalizer(core.client, { type: resources.deployItem, object: item, finalizer }, signal);
  core.announcer.released(item);
}
