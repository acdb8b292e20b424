import { annotations, isJobOpen, keyOf, resources } from "@landscaper/api";
import type { Core } from "../../core.ts";
import { failInterrupted } from "../../deploy-item/interrupt-deploy-item.ts";
import { listDeployItems } from "../deploy-item-index.ts";
import type { ExecutionPass } from "../execution-pass.ts";

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
    await Promise.all(unfinished.map((item) => failInterrupted(core, item, { jobID, signal })));
  }
  const body = { metadata: { annotations: { [annotations.operation]: null } } };
  const stored = await core.client.patch(resources.execution, keyOf(execution), { type: "merge", body, signal });
  return { ...pass, execution: stored };
}
