import { LandscaperError } from "@landscaper/api";
import { createDryRunCluster } from "@landscaper/resources";
import type { TargetAccess } from "../deployer-interface.ts";

/**
 * The access with which nothing can be changed: clusters only read and dry-run, whoever holds them. Access data are refused, those
 * of targets that are no cluster as well: whoever has them can write, and then nothing but the deployer's good will keeps the target
 * as it is.
 */
export function createPreviewAccess(access: TargetAccess): TargetAccess {
  return {
    cluster: async () => createDryRunCluster(await access.cluster()),
    clusterOf: async (targetName) => createDryRunCluster(await access.clusterOf(targetName)),
    content: refuseAccess,
    raw: refuseAccess,
  };
}

function refuseAccess(): Promise<never> {
  return Promise.reject(
    new LandscaperError({
      message: "the access data of a target are not given to a plan: with them it could change the target",
      reason: "PlanWithoutAccess",
      retry: "never",
    }),
  );
}
