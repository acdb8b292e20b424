import type { PreviewContext } from "@landscaper/deployer";
import { ReleaseStore, type ReleaseContext } from "@landscaper/helm-release";
import type { TargetCluster } from "@landscaper/resources";
import type { ReleaseName } from "../helm-status.ts";

/** A release on the target. */
export function releaseContext(
  { name, namespace }: ReleaseName,
  cluster: TargetCluster,
  { clock, log }: Pick<PreviewContext<unknown>, "clock" | "log">,
): ReleaseContext {
  const now = (): number => clock.now();
  const store = new ReleaseStore({ client: cluster.client, namespace, name, now });
  return { cluster, store, name, namespace, now, log };
}
