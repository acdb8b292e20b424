import type { DeployContext, Waiting } from "@landscaper/deployer";
import { createUninstall, type ReleaseContext, type ReleaseRecord, type Uninstall } from "@landscaper/helm-release";
import type { ReleaseName } from "../helm-status.ts";
import { isOfAnother, releaseContext } from "./release-access.ts";
import { waitingOf } from "./waiting-of.ts";

/** Uninstalls in work, so that the passes that only wait need not begin anew. */
export type Uninstalls = Map<string, Uninstall>;

/** Undefined when the release is another item's. */
async function historyOf(
  { store }: ReleaseContext,
  signal: AbortSignal,
): Promise<readonly ReleaseRecord[] | undefined> {
  try {
    return await store.history({ signal });
  } catch (error) {
    if (isOfAnother(error)) return undefined;
    throw error;
  }
}

/** One pass of the uninstall of a release. Undefined: it is gone, or was never there; neither chart nor registry is needed. */
export async function uninstallRelease(
  release: ReleaseName,
  context: DeployContext<unknown>,
  {
    uninstalls,
    wait,
    spared,
  }: {
    readonly uninstalls: Uninstalls;
    readonly wait: boolean;
    /** `resourceId`s of objects that stay. */
    readonly spared?: ReadonlySet<string> | undefined;
  },
): Promise<Waiting | undefined> {
  const { signal, target } = context;
  const key = `${release.namespace}/${release.name}`;
  let uninstall = uninstalls.get(key);
  if (uninstall === undefined) {
    const access = releaseContext(release, await target.cluster(), context);
    const history = await historyOf(access, signal);
    if (history === undefined) {
      context.log.warn({ release: key }, "not uninstalled: the release does not belong to the deploy item");
      return undefined;
    }
    if (history.length === 0) return undefined;
    uninstall = createUninstall(access, history, { wait, spared });
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
