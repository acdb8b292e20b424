import { annotations, isJobOpen, keyOf, LandscaperError, resources, type DeployItem } from "@landscaper/api";
import { nowOf, type Core } from "../core.ts";
import { failDeployItem } from "./fail-deploy-item.ts";

export interface Interruption {
  /** The job that ends. */
  readonly jobID: string;
  readonly signal: AbortSignal;
}

/** Fails an item's job. Throws ApiError (409) if the item has changed: its deployer may have finished the job. */
export async function failInterrupted(core: Core, item: DeployItem, { jobID, signal }: Interruption): Promise<void> {
  const error = new LandscaperError({
    message: "operation was interrupted",
    reason: "InterruptOperation",
    operation: "InterruptOperation",
  });
  const status = failDeployItem(item, { jobID, error }, nowOf(core));
  const stored = await core.client.updateStatus(resources.deployItem, { ...item, status }, { signal });
  core.announcer.deployItem(stored, item);
}

/**
 * Fails the open job of an item that has the annotation, and removes the annotation then: a crash in between repeats the interruption. An item without an
 * open job only loses the annotation.
 */
export async function interruptDeployItem(core: Core, item: DeployItem, signal: AbortSignal): Promise<void> {
  const { jobID = "" } = item.status ?? {};
  if (isJobOpen(item.status)) await failInterrupted(core, item, { jobID, signal });
  const body = { metadata: { annotations: { [annotations.operation]: null } } };
  await core.client.patch(resources.deployItem, keyOf(item), { type: "merge", body, signal });
}
