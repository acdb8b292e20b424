import { allowedRemovals, emptyingError, type Execution, type Installation } from "@landscaper/api";
import type { Core } from "../../core.ts";
import { itemNameOf } from "../../execution/deploy-item-identity.ts";
import { listDeployItems } from "../../execution/deploy-item-index.ts";
import { isDeleting, nameOf } from "../../object-reading.ts";
import type { ExecutionPlan } from "../subobjects/plan-execution.ts";
import { templateNameOf, type SubinstallationPlan } from "../subobjects/plan-subinstallations.ts";

/** What a job is going to do with the objects below an Installation. */
export interface PlannedObjects {
  readonly execution: ExecutionPlan;
  readonly subinstallations: SubinstallationPlan;
}

/**
 * Throws a LandscaperError (EmptyingHeldBack) that lists what would go, when a job would leave no deploy item, or no subinstallation, where there was
 * one. What comes newly in place of them, of the one kind or the other, makes it a replacement.
 */
export function checkEmptying(core: Core, installation: Installation, planned: PlannedObjects): void {
  if (allowedRemovals(installation.metadata, core.emptyProtection).empty) return;
  const { execution, subinstallations } = planned;
  const { create, remove, refs } = subinstallations;
  const items = execution.kind === "delete" ? namesOfItems(core, execution.execution) : [];
  if (items.length > 0 && create.length === 0) throw emptyingError("no deploy item", items);
  const leaving = refs.length === 0 ? remove.filter((each) => !isDeleting(each)) : [];
  if (leaving.length === 0 || execution.kind === "create") return;
  throw emptyingError(
    "no subinstallation",
    leaving.map((each) => templateNameOf(each) || nameOf(each)),
  );
}

/** None when the items are on their way out already. */
function namesOfItems(core: Core, execution: Execution): readonly string[] {
  if (isDeleting(execution)) return [];
  const items = listDeployItems(core.informers.deployItems.lister, execution);
  return items.filter((item) => !isDeleting(item)).map((item) => itemNameOf(item) || nameOf(item));
}
