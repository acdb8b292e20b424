import { annotations, isJobOpen, operations, resources, type DeployItem, type ObjectKey } from "@landscaper/api";
import { canBeName, type Reconcile } from "@landscaper/controller-runtime";
import { nowOf, type Core } from "../core.ts";
import { namespaceOf } from "../object-reading.ts";
import { decideTimeout, type TimeoutSettings } from "./decide-timeout.ts";
import { failDeployItem } from "./fail-deploy-item.ts";
import { interruptDeployItem } from "./interrupt-deploy-item.ts";

/** Absence is confirmed live, once, before it goes into a message. */
async function isTargetMissing(core: Core, deployItem: DeployItem, signal: AbortSignal): Promise<boolean> {
  const { target } = deployItem.spec;
  if (target === undefined) return false;
  // Deployers look the Target up in the item's own namespace (deployers.md §1.1).
  const key: ObjectKey = { namespace: namespaceOf(deployItem), name: target.name };
  if (core.informers.targets.lister.get(key) !== undefined) return false;
  if (!canBeName(target.name)) return true;
  return (await core.client.find(resources.target, key, { signal })) === undefined;
}

/** Fails DeployItems that no deployer takes, whose deployer does not come to an end, or that a user interrupts. */
export function createWatchdogReconciler(core: Core, settings: TimeoutSettings): Reconcile {
  return async (key, signal) => {
    const deployItem = core.informers.deployItems.lister.get(key);
    if (deployItem === undefined) return undefined;
    if (deployItem.metadata.annotations?.[annotations.operation] === operations.interrupt) {
      await interruptDeployItem(core, deployItem, signal);
      return undefined;
    }
    if (!isJobOpen(deployItem.status)) return undefined;
    const now = nowOf(core);
    const decision = decideTimeout({ deployItem, isTargetMissing: false }, settings, now.getTime());
    switch (decision.kind) {
      case "rest":
        return undefined;
      case "wait":
        return { requeueAfterMs: decision.requeueAfterMs };
      case "fail":
        await fail(core, { deployItem, settings, now }, signal);
        return undefined;
    }
  };
}

async function fail(
  core: Core,
  { deployItem, settings, now }: { deployItem: DeployItem; settings: TimeoutSettings; now: Date },
  signal: AbortSignal,
): Promise<void> {
  const observed = { deployItem, isTargetMissing: await isTargetMissing(core, deployItem, signal) };
  const decision = decideTimeout(observed, settings, now.getTime());
  if (decision.kind !== "fail") return;
  const jobID = deployItem.status?.jobID ?? "";
  const status = failDeployItem(deployItem, { jobID, error: decision.error }, now);
  // Guarded: a deployer that picks the item up at this moment wins.
  const stored = await core.client.updateStatus(resources.deployItem, { ...deployItem, status }, { signal });
  core.announcer.deployItem(stored, deployItem);
}
