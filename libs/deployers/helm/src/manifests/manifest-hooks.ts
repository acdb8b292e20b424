import type { DeployContext, Waiting } from "@landscaper/deployer";
import type { Hook } from "@landscaper/helm";
import { createNamespace, StandaloneHooks, type StandaloneContext } from "@landscaper/helm-release";
import type { TargetCluster } from "@landscaper/resources";
import type { HelmConfig } from "../helm-config.ts";
import { isSameRelease, readHelmStatus, writeHelmStatus, type ReleaseName } from "../helm-status.ts";
import { waitingOf } from "../release/waiting-of.ts";

type Context = Pick<DeployContext<HelmConfig>, "item" | "config" | "clock" | "log" | "signal">;

/** Of an item that is deployed as manifests and runs its hooks. Throws LandscaperError. */
export async function prepareHooks(
  { item, config, clock, log, signal }: Context,
  { cluster, hooks, isUpgrade }: { cluster: TargetCluster; hooks: readonly Hook[]; isUpgrade: boolean },
): Promise<StandaloneHooks> {
  // They run before the manifests, and the namespace is one of these.
  if (config.createNamespace) await createNamespace(config.namespace, { cluster, signal });
  const kind = isUpgrade ? "upgrade" : "install";
  const operation = { kind, id: item.status?.jobID ?? "", hooks } as const;
  return await StandaloneHooks.prepare(placeOf(config, { cluster, clock, log }), operation, signal);
}

/** One pass. Undefined: all of that event have ended well. */
export async function advanceHooks(
  hooks: StandaloneHooks | undefined,
  when: "pre" | "post",
  signal: AbortSignal,
): Promise<Waiting | undefined> {
  const waiting = await hooks?.advance(when, signal);
  return waiting === undefined ? undefined : waitingOf(waiting);
}

/** The hooks of a deletion, kept for its passes; undefined: the item has none. */
export async function deletionHooks(
  context: Pick<DeployContext<HelmConfig>, "providerStatus" | "target" | "clock" | "log" | "signal">,
): Promise<StandaloneHooks | undefined> {
  const { hooks } = readHelmStatus(context.providerStatus);
  if (hooks === undefined) return undefined;
  const { clock, log, signal } = context;
  const place = placeOf(hooks, { cluster: await context.target.cluster(), clock, log });
  return await StandaloneHooks.forDeletion(place, signal);
}

/** Removes what is kept of hooks that no deletion is to run any more: those of another form or name than `current`. */
export async function forgetHooks(context: DeployContext<HelmConfig>, current?: ReleaseName): Promise<void> {
  const status = readHelmStatus(context.providerStatus);
  const { hooks } = status;
  if (hooks === undefined || (current !== undefined && isSameRelease(hooks, current))) return;
  const { clock, log, signal } = context;
  const place = placeOf(hooks, { cluster: await context.target.cluster(), clock, log });
  await StandaloneHooks.forget(place, signal);
  context.report(writeHelmStatus({ ...status, hooks: undefined }));
}

function placeOf(
  { name, namespace }: ReleaseName,
  { cluster, clock, log }: { cluster: TargetCluster } & Pick<Context, "clock" | "log">,
): StandaloneContext {
  return { cluster, name, namespace, now: () => clock.now(), elapsed: () => clock.elapsed(), log };
}
