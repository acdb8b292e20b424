import {
  boundText,
  installationPhases,
  isFailedPhase,
  isJobOpen,
  type DeployerPhase,
  type Installation,
  type ManagedDeployer,
} from "@landscaper/api";
import { isDeleting } from "../../object-reading.ts";
import type { ObservedDeployer } from "../observed-environment.ts";
import { pairName } from "../pair.ts";

/** Time (ms) after which an item waits for a deployer, if no deployer has begun its job. */
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

/** Types of DeployItems that have waited longer than the patience, sorted. */
export function waitedTypes({ waiting }: ObservedDeployer, elapsedMs: number): readonly string[] {
  const late = waiting.filter(({ sinceMs }) => sinceMs <= elapsedMs - pickupPatienceMs);
  return [...new Set(late.map(({ type }) => type))].toSorted();
}

/** In how many ms the first of the items that wait will have waited too long, if that is still to come. */
export function patienceLeftMs({ waiting }: ObservedDeployer, elapsedMs: number): number | undefined {
  const coming = waiting.map(({ sinceMs }) => sinceMs + pickupPatienceMs - elapsedMs).filter((leftMs) => leftMs > 0);
  return coming.length === 0 ? undefined : Math.min(...coming);
}

/** A deployer as the status of its Environment shows it. `elapsedMs` is of the clock by which items wait. */
export function describeDeployer(deployer: ObservedDeployer, elapsedMs: number): ManagedDeployer {
  const { installation, names } = deployer;
  const phase = deployerPhaseOf(installation);
  const version = installation.spec.componentDescriptor?.ref?.version;
  const types = waitedTypes(deployer, elapsedMs);
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
