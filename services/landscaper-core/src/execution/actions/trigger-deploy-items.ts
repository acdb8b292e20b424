import { annotations, resources, toTimestamp, withGeneration, type DeployItem } from "@landscaper/api";
import { nowOf, type Core } from "../../core.ts";
import { hasAnnotation, isDeleting, namespaceOf } from "../../object-reading.ts";
import { releaseObject } from "../../release-object.ts";
import type { ExecutionPass } from "../execution-pass.ts";
import { findItemsWithoutCluster } from "../removed-clusters.ts";

async function giveJob(core: Core, deployItem: DeployItem, options: Trigger): Promise<void> {
  const now = toTimestamp(nowOf(core));
  const status = {
    ...withGeneration(deployItem.status ?? {}),
    jobID: options.jobID,
    jobIDGenerationTime: now,
    transitionTimes: { triggerTime: now },
  };
  const { signal } = options;
  const stored = await core.client.updateStatus(resources.deployItem, { ...deployItem, status }, { signal });
  core.announcer.deployItem(stored, deployItem);
}

async function releaseItem(core: Core, item: DeployItem, signal: AbortSignal): Promise<void> {
  await releaseObject(core.client, { type: resources.deployItem, object: item }, signal);
  core.announcer.released(item);
}

interface Trigger {
  readonly jobID: string;
  readonly signal: AbortSignal;
}

/**
 * Gives the job to items, each write guarded. Items that go without being uninstalled, by annotation or because their cluster is
 * gone, lose their finalizer instead: no deployer need be alive (core.md §1.5 D10, §2.6).
 */
export async function triggerDeployItems(
  core: Core,
  { pass, items }: { readonly pass: ExecutionPass; readonly items: readonly DeployItem[] },
  signal: AbortSignal,
): Promise<ExecutionPass> {
  const options = { jobID: pass.status.jobID ?? "", signal };
  const namespace = namespaceOf(pass.execution);
  const isUninstalled = (item: DeployItem): boolean =>
    !(isDeleting(item) && hasAnnotation(item, annotations.deleteWithoutUninstall));
  const withoutCluster = await findItemsWithoutCluster(core, { namespace, items: items.filter(isUninstalled) }, signal);
  await Promise.all(
    items.map((item) =>
      !isUninstalled(item) || withoutCluster.has(item) ? releaseItem(core, item, signal) : giveJob(core, item, options),
    ),
  );
  return pass;
}
