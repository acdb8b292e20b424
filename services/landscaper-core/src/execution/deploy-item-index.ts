import type { DeployItem, Execution } from "@landscaper/api";
import type { IndexFunctions, Lister } from "@landscaper/controller-runtime";
import { controllerOf, namespaceOf, uidOf } from "../object-reading.ts";
import { identifyDeployItems, type IdentifiedItems } from "./identify-deploy-items.ts";

const byExecution = "execution";

/** An owner is of the same namespace: a reference that names the uid of an Execution elsewhere makes nothing of it. */
function ownerKey(namespace: string, uid: string): string {
  return `${namespace}/${uid}`;
}

export const deployItemIndexes: IndexFunctions<DeployItem> = {
  [byExecution]: (deployItem) => {
    const uid = controllerOf(deployItem, "Execution")?.uid;
    return uid === undefined ? [] : [ownerKey(namespaceOf(deployItem), uid)];
  },
};

/** Returns the DeployItems of an Execution, and its ambiguous items. */
export function findDeployItems(lister: Lister<DeployItem>, execution: Execution): IdentifiedItems {
  const claimants = lister.byIndex(byExecution, ownerKey(namespaceOf(execution), uidOf(execution)));
  return identifyDeployItems(execution, claimants);
}

/** Returns the DeployItems of an Execution, sorted by item name, without forged ones. */
export function listDeployItems(lister: Lister<DeployItem>, execution: Execution): readonly DeployItem[] {
  return findDeployItems(lister, execution).items;
}
