import type { DeployItem, Execution } from "@landscaper/api";
import type { IndexFunctions, Lister } from "@landscaper/controller-runtime";
import { controllerOf, uidOf } from "../object-reading.ts";
import { itemNameOf } from "./deploy-item-identity.ts";

const byExecution = "execution";

export const deployItemIndexes: IndexFunctions<DeployItem> = {
  [byExecution]: (deployItem) => {
    const uid = controllerOf(deployItem, "Execution")?.uid;
    return uid === undefined ? [] : [uid];
  },
};

/** DeployItems of an Execution, sorted by item name. */
export function listDeployItems(lister: Lister<DeployItem>, execution: Execution): readonly DeployItem[] {
  return lister.byIndex(byExecution, uidOf(execution)).toSorted((a, b) => (itemNameOf(a) < itemNameOf(b) ? -1 : 1));
}
