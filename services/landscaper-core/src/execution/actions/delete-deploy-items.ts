import { annotations, executionPhases as phases, resources } from "@landscaper/api";
import { nowOf, type Core } from "../../core.ts";
import { deleteOwned } from "../../delete-owned.ts";
import { addTime, movePhase } from "../../job-status.ts";
import { hasAnnotation } from "../../object-reading.ts";
import { listDeployItems } from "../deploy-item-index.ts";
import { withExecutionStatus, type ExecutionPass } from "../execution-pass.ts";

/** Phase InitDelete (core.md §2.5): marks every DeployItem for deletion, orphans too (§4.13 fixed). */
export async function deleteDeployItems(core: Core, pass: ExecutionPass, signal: AbortSignal): Promise<ExecutionPass> {
  const { execution, status } = pass;
  const withoutUninstall = hasAnnotation(execution, annotations.deleteWithoutUninstall);
  const items = listDeployItems(core.informers.deployItems.lister, execution);
  await Promise.all(
    items.map((item) =>
      deleteOwned(core.client, { type: resources.deployItem, object: item, withoutUninstall }, signal),
    ),
  );
  const now = nowOf(core);
  return withExecutionStatus(pass, addTime(movePhase(status, phases.deleting, now), "waitTime", now));
}
