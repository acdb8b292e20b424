import { annotations, executionPhases as phases, resources } from "@landscaper/api";
import { nowOf, type Core } from "../../core.ts";
import { deleteOwned } from "../../delete-owned.ts";
import { addTime, movePhase } from "../../job-status.ts";
import { hasAnnotation } from "../../object-reading.ts";
import { listDeployItems } from "../deploy-item-index.ts";
import { withExecutionStatus, type ExecutionPass } from "../execution-pass.ts";

/**
 * Marks every DeployItem for deletion, orphans too (core.md §2.5, §4.13 fixed). Runs again in phase Deleting if `delete-without-uninstall` was set after the job had
 * started.
 */
export async function deleteDeployItems(core: Core, pass: ExecutionPass, signal: AbortSignal): Promise<ExecutionPass> {
  const { execution, status } = pass;
  const withoutUninstall = hasAnnotation(execution, annotations.deleteWithoutUninstall);
  const items = listDeployItems(core.informers.deployItems.lister, execution);
  await Promise.all(
    items.map((item) =>
      deleteOwned(core.client, { type: resources.deployItem, object: item, withoutUninstall }, signal),
    ),
  );
  if (status.phase === phases.deleting) return pass;
  const now = nowOf(core);
  return withExecutionStatus(pass, addTime(movePhase(status, phases.deleting, now), "waitTime", now));
}
