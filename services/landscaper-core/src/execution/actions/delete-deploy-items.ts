import { annotations, executionPhases as phases, keyOf, resources, type DeployItem } from "@landscaper/api";
import { nowOf, type Core } from "../../core.ts";
import { deleteObject } from "../../ensure-object.ts";
import { addTime, movePhase } from "../../job-status.ts";
import { hasAnnotation, isDeleting } from "../../object-reading.ts";
import { listDeployItems } from "../deploy-item-index.ts";
import { withExecutionStatus, type ExecutionPass } from "../execution-pass.ts";

async function deleteItem(core: Core, item: DeployItem, options: DeleteItem): Promise<void> {
  const { withoutUninstall, signal } = options;
  if (withoutUninstall && !hasAnnotation(item, annotations.deleteWithoutUninstall)) {
    const body = { metadata: { annotations: { [annotations.deleteWithoutUninstall]: "true" } } };
    await core.client.patch(resources.deployItem, keyOf(item), { type: "merge", body, signal });
  }
  if (!isDeleting(item)) await deleteObject(core.client, { type: resources.deployItem, object: item }, signal);
}

interface DeleteItem {
  readonly withoutUninstall: boolean;
  readonly signal: AbortSignal;
}

/** Phase InitDelete (core.md §2.5): marks every DeployItem for deletion, orphans too (§4.13 fixed). */
export async function deleteDeployItems(core: Core, pass: ExecutionPass, signal: AbortSignal): Promise<ExecutionPass> {
  const { execution, status } = pass;
  const withoutUninstall = hasAnnotation(execution, annotations.deleteWithoutUninstall);
  const items = listDeployItems(core.informers.deployItems.lister, execution);
  await Promise.all(items.map((item) => deleteItem(core, item, { withoutUninstall, signal })));
  const now = nowOf(core);
  return withExecutionStatus(pass, addTime(movePhase(status, phases.deleting, now), "waitTime", now));
}
