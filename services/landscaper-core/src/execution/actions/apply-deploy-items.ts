import { executionPhases as phases, LandscaperError, resources, type DeployItem } from "@landscaper/api";
import { checkDeployItems } from "@landscaper/blueprint";
import { nowOf, type Core } from "../../core.ts";
import { deleteObject, ensureObject, namingLarge } from "../../ensure-object.ts";
import { addTime, movePhase } from "../../job-status.ts";
import { controllerOf, nameOf, namespaceOf } from "../../object-reading.ts";
import { findClusterNames } from "../cluster-names.ts";
import { listDeployItems } from "../deploy-item-index.ts";
import { withExecutionStatus, type ExecutionPass } from "../execution-pass.ts";
import { planDeployItems } from "../plan-deploy-items.ts";

/** An object of the wanted name is there: ours, if the answer of a create was lost. */
function adopt(existing: DeployItem, desired: DeployItem): DeployItem {
  if (controllerOf(existing, "Execution")?.uid === controllerOf(desired, "Execution")?.uid) return existing;
  throw new LandscaperError({
    message: `deploy item ${nameOf(desired)}: an object of this name exists and belongs to somebody else`,
    reason: "DeployItemConflict",
    operation: "ApplyDeployItems",
    retry: "never",
  });
}

/** Phase Init (core.md §2.5): DeployItems as the spec says. Orphans are only marked for deletion here; they go in Progressing. */
export async function applyDeployItems(core: Core, pass: ExecutionPass, signal: AbortSignal): Promise<ExecutionPass> {
  const { execution, templates } = pass;
  const { client, informers } = core;
  checkDeployItems(templates);
  const { lister } = informers.deployItems;
  const now = nowOf(core);
  const clusterNames = await findClusterNames(core, { namespace: namespaceOf(execution), templates }, signal);
  const existing = listDeployItems(lister, execution);
  // Read once, by the first job after the original: the status that follows has no cache (design.md §3.5).
  const noted = execution.status?.deployItemCache?.activeDIs ?? [];
  const notedItems = new Map(noted.map(({ specName = "", objectName = "" }) => [objectName, specName]));
  const plan = planDeployItems({
    execution,
    templates,
    existing,
    clusterNames,
    notedItems,
    now,
    environmentsOf: core.environmentsOf,
  });
  const type = resources.deployItem;
  await Promise.all([
    ...plan.remove.map((object) => deleteObject(client, { type, object }, signal)),
    ...plan.create.map((desired) => ensureObject({ client, type, lister, desired, merge: adopt, signal })),
    ...plan.update.map((object) => namingLarge(object, client.update(type, object, { signal }))),
  ]);
  return withExecutionStatus(pass, addTime(movePhase(pass.status, phases.progressing, now), "waitTime", now));
}
