import { LandscaperError } from "@landscaper/api";
import type { DeployContext, PreviewContext } from "@landscaper/deployer";
import { ReleaseStore, type ReleaseContext } from "@landscaper/helm-release";
import { ownerOf } from "@landscaper/manifest-deployer-lib";
import type { TakeOver, TargetCluster } from "@landscaper/resources";
import type { ReleaseName } from "../helm-status.ts";

interface ReleaseAccessContext
  extends Pick<PreviewContext<unknown>, "item" | "clock" | "log">, Partial<Pick<DeployContext<unknown>, "warn">> {
  /** Default: a release of another item is refused. */
  readonly takeOver?: TakeOver;
}

/**
 * A release on the target. Its history is refused when it belongs to another item (TargetOwnedByOther), unless `takeOver` lets the item take
 * it over.
 */
export function releaseContext(
  { name, namespace }: ReleaseName,
  cluster: TargetCluster,
  { item, clock, log, warn, takeOver }: ReleaseAccessContext,
): ReleaseContext {
  const now = (): number => clock.now();
  const store = new ReleaseStore({ client: cluster.client, namespace, name, owner: ownerOf(item), takeOver, now });
  return { cluster, store, name, namespace, now, elapsed: () => clock.elapsed(), log, warn };
}

/** Whether an error says that something on the target is another item's. */
export function isOfAnother(error: unknown): boolean {
  return error instanceof LandscaperError && error.reason === "TargetOwnedByOther";
}
