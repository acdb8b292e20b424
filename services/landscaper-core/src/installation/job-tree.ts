import type { Core } from "../core.ts";
import { listDeployItems } from "../execution/deploy-item-index.ts";
import type { JobTree } from "../root-cause.ts";
import { findExecution } from "./find-execution.ts";
import { listSubinstallations } from "./imports/siblings.ts";

/** Returns the sub-objects as the informers have them. */
export function jobTree(informers: Core["informers"]): JobTree {
  return {
    executionOf: (installation) => findExecution(informers, installation),
    subinstallationsOf: (installation) => listSubinstallations(informers.installations.lister, installation),
    deployItemsOf: (execution) => listDeployItems(informers.deployItems.lister, execution),
  };
}
