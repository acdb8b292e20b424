import { annotations, resources, toTimestamp, type DeployItem } from "@landscaper/api";
import { nowOf, type Core } from "../../core.ts";
import { hasAnnotation, isDeleting } from "../../object-reading.ts";
import { releaseObject } from "../../release-object.ts";
import type { ExecutionPass } from "../execution-pass.ts";

async function giveJob(core: Core, deployItem: DeployItem, options: Trigger): Promise<void> {
  const now = toTimestamp(nowOf(core));
  const status = {
    ...deployItem.status,
    jobID: options.jobID,
    jobIDGenerationTime: now,
    transitionTimes: { triggerTime: now },
  };
  const { signal } = options;
  const stored = await core.client.updateStatus(resources.deployItem, { ...deployItem, status }, { signal });
  core.announcer.deployItem(stored, deployItem);
}

interface Trigger {
  readonly jobID: string;
  readonly signal: AbortSignal;
}

/**
 * Gives the job to items, each write guarded. Items that go without being uninstalled lose their finalizer instead: no deployer
 * need be alive (core.md §1.5 D10).
 */
export async function triggerDeployItems(
  core: Core,
  { pass, items }: { readonly pass: ExecutionPass; readonly items: readonly DeployItem[] },
  signal: AbortSignal,
): Promise<ExecutionPass> {
  const options = { jobID: pass.status.jobID ?? "", signal };
  await Promise.all(
    items.map((item) =>
      isDeleting(item) && hasAnnotation(item, annotations.deleteWithoutUninstall)
        ? releaseObject(core.client, { type: resources.deployItem, object: item }, signal)
        : giveJob(core, item, options),
    ),
  );
  return pass;
}
