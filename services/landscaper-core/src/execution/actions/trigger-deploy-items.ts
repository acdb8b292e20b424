import { resources, toTimestamp, withGeneration, type DeployItem } from "@landscaper/api";
import { nowOf, type Core } from "../../core.ts";
import { isLeaving, mayHaveMarks, releaseItem } from "../../deploy-item/leaving-items.ts";
import { namespaceOf } from "../../object-reading.ts";
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

interface Trigger {
  readonly jobID: string;
  readonly signal: AbortSignal;
}

/**
 * Gives the job to items, each write guarded. Items that go without being uninstalled, by annotation or because their cluster is
 * gone, lose their finalizer instead: no deployer need be alive (core.md §1.5 D10, §2.6). If their deployer can remove marks, they get the job; the watchdog removes the
 * finalizer after 30 s.
 */
export async function triggerDeployItems(
  core: Core,
  { pass, items }: { readonly pass: ExecutionPass; readonly items: readonly DeployItem[] },
  signal: AbortSignal,
): Promise<ExecutionPass> {
  const options = { jobID: pass.status.jobID ?? "", signal };
  const namespace = namespaceOf(pass.execution);
  const staying = items.filter((item) => !isLeaving(item));
  const withoutCluster = await findItemsWithoutCluster(core, { namespace, items: staying }, signal);
  const needsDeployer = (item: DeployItem): boolean =>
    isLeaving(item) ? mayHaveMarks(item) : !withoutCluster.has(item);
  await Promise.all(
    items.map((item) => (needsDeployer(item) ? giveJob(core, item, options) : releaseItem(core, item, signal))),
  );
  return pass;
}
