import {
  annotations,
  formatKey,
  isJobOpen,
  operations,
  resources,
  type DeployItem,
  type ObjectKey,
} from "@landscaper/api";
import { canBeName, type Reconcile } from "@landscaper/controller-runtime";
import { nowOf, type Core } from "../core.ts";
import { writeHubId } from "../hub-id.ts";
import { namespaceOf } from "../object-reading.ts";
import { decideTimeout, type TimeoutSettings } from "./decide-timeout.ts";
import { failDeployItem } from "./fail-deploy-item.ts";
import { interruptDeployItem } from "./interrupt-deploy-item.ts";
import { sightJob, type JobSighting } from "./job-sightings.ts";
import { isReleased, releaseItem } from "./leaving-items.ts";

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

/** For so long (ms) after its first look the watchdog takes items for those that were there before. */
const startMs = 60_000;

/** What the watchdog has seen of each item, by namespace and name. */
export type JobSightings = Map<string, JobSighting>;

/**
 * Fails DeployItems that no deployer takes, whose deployer does not come to an end, or that a user interrupts. Releases those that are deleted without uninstalling them, and
 * writes the id of the landscaper cluster to those that no Execution has made. Keeps in `sightings` what it has seen of all items that exist.
 */
export function createWatchdogReconciler(core: Core, settings: TimeoutSettings, sightings: JobSightings): Reconcile {
  let startedMs: number | undefined;
  return async (key, signal) => {
    const deployItem = core.informers.deployItems.lister.get(key);
    if (deployItem === undefined) {
      sightings.delete(formatKey(key));
      return undefined;
    }
    const times = { elapsedMs: core.clock.elapsed(), nowMs: core.clock.now() };
    startedMs ??= times.elapsedMs;
    const isStarting = times.elapsedMs - startedMs < startMs;
    const sighting = sightJob(sightings.get(formatKey(key)), deployItem, { ...times, isStarting });
    sightings.set(formatKey(key), sighting);
    if (deployItem.metadata.annotations?.[annotations.operation] === operations.interrupt) {
      await interruptDeployItem(core, deployItem, signal);
      return undefined;
    }
    await writeHubId(core, deployItem, signal);
    if (!isJobOpen(deployItem.status) && !isReleased(deployItem)) return undefined;
    const seen = { deployItem, sighting };
    const decision = decideTimeout({ ...seen, isTargetMissing: false }, settings, times.elapsedMs);
    switch (decision.kind) {
      case "rest":
        return undefined;
      case "wait":
        return { requeueAfterMs: decision.requeueAfterMs };
      case "release":
        await releaseItem(core, deployItem, signal);
        return undefined;
      case "fail":
        await fail(core, { ...seen, settings }, signal);
        return undefined;
    }
  };
}

interface Overdue {
  readonly deployItem: DeployItem;
  readonly sighting: JobSighting;
  readonly settings: TimeoutSettings;
}

async function fail(core: Core, { deployItem, sighting, settings }: Overdue, signal: AbortSignal): Promise<void> {
  const observed = { deployItem, sighting, isTargetMissing: await isTargetMissing(core, deployItem, signal) };
  const decision = decideTimeout(observed, settings, core.clock.elapsed());
  if (decision.kind !== "fail") return;
  const jobID = deployItem.status?.jobID ?? "";
  const status = failDeployItem(deployItem, { jobID, error: decision.error }, nowOf(core));
  // Guarded: a deployer that picks the item up at this moment wins.
  const stored = await core.client.updateStatus(resources.deployItem, { ...deployItem, status }, { signal });
  core.announcer.deployItem(stored, deployItem);
}
