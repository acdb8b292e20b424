import { annotations, isJobOpen, keyOf, LandscaperError, resources, type DeployItem } from "@landscaper/api";
import { nowOf, type Core } from "../../core.ts";
import { failDeployItem } from "../../deploy-item/fail-deploy-item.ts";
import { listDeployItems } from "../deploy-item-index.ts";
import type { ExecutionPass } from "../execution-pass.ts";

async function interruptItem(core: Core, item: DeployItem, { jobID, signal }: Interruption): Promise<void> {
  const error = new LandscaperError({
    message: "operation was interrupted",
    reason: "InterruptOperation",
    operation: "InterruptOperation",
  });
  const status = failDeployItem(item, { jobID, error }, nowOf(core));
  const stored = await core.client.updateStatus(resources.deployItem, { ...item, status }, { signal });
  core.announcer.deployItem(stored, item);
}

interface Interruption {
  readonly jobID: string;
  readonly signal: AbortSignal;
}

/**
 * Ends every item that has not finished the running job, orphans and untriggered ones included (core.md §2.7); then the annotation
 * goes: a crash between repeats the interruption.
 */
export async function interruptDeployItems(
  core: Core,
  pass: ExecutionPass,
  signal: AbortSignal,
): Promise<ExecutionPass> {
  const { execution } = pass;
  const jobID = execution.status?.jobID ?? "";
  if (isJobOpen(execution.status)) {
    const unfinished = listDeployItems(core.informers.deployItems.lister, execution).filter(
      ({ status }) => status?.jobIDFinished !== jobID,
    );
    await Promise.all(unfinished.map((item) => interruptItem(core, item, { jobID, signal })));
  }
  const body = { metadata: { annotations: { [annotations.operation]: null } } };
  const stored = await core.client.patch(resources.execution, keyOf(execution), { type: "merge", body, signal });
  return { ...pass, execution: stored };
}
