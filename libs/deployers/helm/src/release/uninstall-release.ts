import type { DeployContext, Waiting } from "@landscaper/deployer";
import { createUninstall, type Uninstall } from "@landscaper/helm-release";
import type { ReleaseName } from "../helm-status.ts";
import { releaseContext } from "./release-access.ts";
import { waitingOf } from "./waiting-of.ts";

/** Uninstalls in work, so that the passes that only wait need not begin anew. */
export type Uninstalls = Map<string, Uninstall>;

/** One pass of the uninstall of a release. Undefined: it is gone, or was never there; neither chart nor registry is needed. */
export async function uninstallRelease(
  release: ReleaseName,
  context: DeployContext<unknown>,
  { uninstalls, wait }: { readonly uninstalls: Uninstalls; readonly wait: boolean },
): Promise<Waiting | undefined> {
  const { signal, target } = context;
  const key = `${release.namespace}/${release.name}`;
  let uninstall = uninstalls.get(key);
  if (uninstall === undefined) {
    const access = releaseContext(release, await target.cluster(), context);
    const history = await access.store.history({ signal });
    if (history.length === 0) return undefined;
    uninstall = createUninstall(access, history, { wait });
    uninstalls.set(key, uninstall);
  }
  try {
    const waiting = await uninstall.advance(signal);
    return waiting === undefined ? undefined : waitingOf(waiting);
  } catch (error) {
    uninstalls.delete(key);
    throw error;
  }
}
