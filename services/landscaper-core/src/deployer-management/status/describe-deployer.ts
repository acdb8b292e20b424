import {
  boundText,
  installationPhases,
  isFailedPhase,
  isJobOpen,
  isPickedUp,
  type DeployerPhase,
  type DeployItem,
  type Installation,
  type ManagedDeployer,
} from "@landscaper/api";
import { isDeleting } from "../../object-reading.ts";
import type { ObservedDeployer } from "../observed-environment.ts";
import { pairName } from "../pair.ts";

/** An item whose job nobody has picked up for so long waits for a deployer; before, it is only on its way. */
export const pickupPatienceMs = 10_000;
/** A fleet has many deployers, and an object its limits. */
const maxMessageLength = 500;

/** Where a deployer stands by its Installation; only a job of the present generation counts. */
export function deployerPhaseOf(installation: Installation): DeployerPhase {
  const { status, metadata } = installation;
  if (isJobOpen(status)) return isDeleting(installation) ? "Deleting" : "Progressing";
  if (isDeleting(installation)) return status?.phase === installationPhases.deleteFailed ? "Failed" : "Deleting";
  if (status?.observedGeneration !== metadata.generation) return "Progressing";
  if (isFailedPhase(status?.phase)) return "Failed";
  return status?.phase === installationPhases.succeeded ? "Succeeded" : "Progressing";
}

/** Since when an item waits to be picked up, in ms since the epoch; undefined when it does not. */
function waitsSince({ status }: DeployItem): number | undefined {
  if (status === undefined || !isJobOpen(status) || isPickedUp(status)) return undefined;
  return Date.parse(status.jobIDGenerationTime ?? "") || 0;
}

/** Types of DeployItems that have waited longer than the patience, sorted. */
export function waitedTypes({ items }: ObservedDeployer, nowMs: number): readonly string[] {
  const waiting = items.filter((item) => (waitsSince(item) ?? nowMs) <= nowMs - pickupPatienceMs);
  return [...new Set(waiting.map(({ spec }) => spec.type))].toSorted();
}

/** When the first of the items that wait has waited too long, if that is still to come. */
export function nextPatienceEnd({ items }: ObservedDeployer, nowMs: number): number | undefined {
  const ends = items.map(waitsSince).flatMap((since) => (since === undefined ? [] : [since + pickupPatienceMs]));
  const coming = ends.filter((end) => end > nowMs);
  return coming.length === 0 ? undefined : Math.min(...coming);
}

/** A deployer as the status of its Environment shows it. */
export function describeDeployer(deployer: ObservedDeployer, nowMs: number): ManagedDeployer {
  const { installation, names } = deployer;
  const phase = deployerPhaseOf(installation);
  const version = installation.spec.componentDescriptor?.ref?.version;
  const types = waitedTypes(deployer, nowMs);
  const message = phase === "Succeeded" ? undefined : installation.status?.lastError?.message;
  return {
    name: pairName(names),
    registration: names.registration,
    phase,
    ...(version === undefined ? {} : { version }),
    ...(types.length === 0 ? {} : { waitsFor: [...types] }),
    ...(message === undefined ? {} : { message: boundText(message, maxMessageLength) }),
  };
}
