import { formatKey, keyOf, type DeployItem } from "@landscaper/api";
import type { ShareClaim, WorkSlot } from "@landscaper/controller-runtime";
import type { ObservedTarget } from "./target-observer.ts";
import type { ClusterCache } from "./cluster-cache.ts";

/** What a pass waits for while others of its namespace or target use all their shares. */
export const waitingForShare = "other work on its target, or in its namespace, to end";

export interface PassShare {
  /** False: the pass has to return; the item comes again when there is a share. */
  take(): boolean;
  /** For what must not wait. */
  force(): void;
}

export interface PassShareOptions {
  readonly item: DeployItem;
  readonly target: ObservedTarget;
  readonly clusters: Pick<ClusterCache, "serverOf">;
  readonly slot: WorkSlot;
}

/** The share that a pass needs before it calls the deployer. It counts for the namespace and for the server of the target. */
export function createPassShare({ item, target, clusters, slot }: PassShareOptions): PassShare {
  const claim = (): ShareClaim => ({
    namespace: item.metadata.namespace ?? "",
    server: target.state === "found" ? serverName(target.target, clusters) : undefined,
  });
  return {
    take: () => slot.takeShare(claim()),
    force: () => slot.forceShare(claim()),
  };
}

/** Several Targets may mean one server. Before the first use it is not known which: the Target itself counts. */
function serverName(
  target: Extract<ObservedTarget, { state: "found" }>["target"],
  clusters: Pick<ClusterCache, "serverOf">,
): string {
  return clusters.serverOf(target) ?? `Target ${formatKey(keyOf(target))}`;
}
