import type { DeployItem, Execution } from "@landscaper/api";
import type { IndexFunctions, Lister } from "@landscaper/controller-runtime";
import { controllerOf, namespaceOf, uidOf } from "../object-reading.ts";
import { itemNameOf } from "./deploy-item-identity.ts";

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

/** DeployItems of an Execution, sorted by item name. */
export function listDeployItems(lister: Lister<DeployItem>, execution: Execution): readonly DeployItem[] {
  const items = lister.byIndex(byExecution, ownerKey(namespaceOf(execution), uidOf(execution)));
  return items.toSorted((a, b) => (itemNameOf(a) < itemNameOf(b) ? -1 : 1));
}
