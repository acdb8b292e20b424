import type { LocalCluster } from "@landscaper/local-cluster";

/** From here on no deployer hears of changes of Targets, while it hears of everything else; ended by `setFault(undefined)`. */
export function holdTargetNews(hub: Pick<LocalCluster, "setFault" | "cutWatches">): void {
  hub.setFault(({ verb, resource }) =>
    verb === "watch" && resource === "targets" ? { status: 503, retryAfter: 30 } : undefined,
  );
  hub.cutWatches();
}
