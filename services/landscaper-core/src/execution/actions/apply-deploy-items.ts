import { annotations, executionPhases as phases, LandscaperError, resources, type DeployItem } from "@landscaper/api";
import { checkDeployItems } from "@landscaper/blueprint";
import { nowOf, type Core } from "../../core.ts";
import { deleteObject, ensureObject, namingLarge, overlayMetadata } from "../../ensure-object.ts";
import { addTime, movePhase } from "../../job-status.ts";
import { annotationOf, controllerOf, nameOf, namespaceOf } from "../../object-reading.ts";
import { findClusterNames } from "../cluster-names.ts";
import { findDeployItems } from "../deploy-item-index.ts";
import { noteDeployItems } from "../identify-deploy-items.ts";
import { withExecutionStatus, type ExecutionPass } from "../execution-pass.ts";
import { planDeployItems } from "../plan-deploy-items.ts";

/**
 * Adopts an existing object of the wanted name: the answer to its create was lost, or another client has created it with the Execution as its owner. Its spec
 * becomes the wanted one. Throws LandscaperError if it has another owner. Pure.
 */
export function adoptDeployItem(existing: DeployItem, desired: DeployItem): DeployItem {
  if (controllerOf(existing, "Execution")?.uid === controllerOf(desired, "Execution")?.uid) {
    const time = annotationOf(existing, annotations.reconcileTime);
    const merged = overlayMetadata(existing, desired);
    const kept = time === undefined ? {} : { [annotations.reconcileTime]: time };
    return { ...merged, metadata: { ...merged.metadata, annotations: { ...merged.metadata.annotations, ...kept } } };
  }
  throw new LandscaperError({
    message: `deploy item ${nameOf(desired)}: an object of this name exists and has another owner`,
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
  const { items: existing, mislabelled } = findDeployItems(lister, execution);
  const plan = planDeployItems({
    execution,
    templates,
    existing,
    clusterNames,
    mislabelled,
    now,
    environmentsOf: core.environmentsOf,
    hubId: await core.hubId(signal),
  });
  const type = resources.deployItem;
  const [, created, updated] = await Promise.all([
    Promise.all(plan.remove.map(async (object) => deleteObject(client, { type, object }, signal))),
    Promise.all(
      plan.create.map(async (desired) =>
        ensureObject({ client, type, lister, desired, merge: adoptDeployItem, signal }),
      ),
    ),
    Promise.all(plan.update.map(async (object) => namingLarge(object, client.update(type, object, { signal })))),
  ]);
  const items = new Map([...existing, ...created, ...updated].map((each) => [nameOf(each), each]));
  const deployItemCache = noteDeployItems([...items.values()]);
  const status = { ...addTime(movePhase(pass.status, phases.progressing, now), "waitTime", now), deployItemCache };
  return withExecutionStatus(pass, status);
}
