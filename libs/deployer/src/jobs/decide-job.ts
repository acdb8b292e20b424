import {
  annotations,
  finalizer,
  isJobAtWork,
  isJobOpen,
  operations,
  qualifyType,
  type DeployItem,
  type TargetSelector,
} from "@landscaper/api";
import type { Claim } from "../sharing/decide-claim.ts";
import { isUntouched } from "./job-status.ts";
import { matchesMissingTarget, matchesTargetSelectors } from "../target/match-target-selector.ts";
import type { ObservedTarget } from "../target/target-observer.ts";

export interface ObservedItem {
  readonly item: DeployItem;
  readonly target: ObservedTarget;
  /** End of the running job in ms of a clock that nobody sets; undefined = it may take as long as it wants. */
  readonly deadline: number | undefined;
}

export interface Responsibility {
  /** `spec.type` of the deployer. */
  readonly type: string;
  readonly targetSelectors: readonly TargetSelector[];
  /** Who works on the item. */
  readonly claim: Claim;
  /** Whether the deployer wants a job although the spec is the same. Default: no. */
  readonly isOutdated?: (() => boolean) | undefined;
  /** Whether the deployer wants an item gone whose deletion has failed. Default: no. */
  readonly isForced?: (() => boolean) | undefined;
}

/** The job in which a deletion that has failed is forced. There is one for each item: when it fails as well, only a new job tries again. */
export const forcedJobId = "forced-deletion";

/** The next step with an item; one member per row of core.md §2.7. */
export type JobDecision =
  /** Nothing to do for this deployer. */
  | { readonly type: "idle" }
  /** The deployer that worked on it is gone: put this one's name into its place. */
  | { readonly type: "takeOver" }
  /** Another instance works on it, and this one would as well. */
  | { readonly type: "stepBack"; readonly holder: string }
  /** A deployer without Lease works on it: decide again after so long (ms). */
  | { readonly type: "wait"; readonly leftMs: number }
  /** Pick the job up, then work. */
  | { readonly type: "start"; readonly isDeleting: boolean; readonly isTest: boolean }
  /** The job was picked up before: go on. */
  | { readonly type: "resume"; readonly isDeleting: boolean; readonly isTest: boolean }
  /** updateOnChangeOnly: nothing has changed since the last success. */
  | { readonly type: "acknowledge" }
  /** Remove the finalizer without uninstalling. `leaves`: the deployer removes the item's marks first. */
  | { readonly type: "release"; readonly leaves: boolean }
  /** Deleted and released; only others keep the object. */
  | { readonly type: "complete" }
  | { readonly type: "targetMissing"; readonly targetName: string; readonly isDeleting: boolean }
  | { readonly type: "timeOut"; readonly isDeleting: boolean };

/** seed-002 and deployers.md §3.1: what a deployer does with an item now; `elapsedMs` is of the clock of the deadline. Pure. */
export function decideJob(observed: ObservedItem, responsibility: Responsibility, elapsedMs: number): JobDecision {
  const { item, target } = observed;
  const isTest = item.metadata.annotations?.[annotations.operation] === operations.testReconcile;
  if (!isOfType(item, responsibility.type)) return { type: "idle" };
  const isForced = hasFailedDeletion(item) && responsibility.isForced?.() === true;
  if (!isJobOpen(item.status) && !isTest && !isForced) return { type: "idle" };
  if (!isSelected(observed, responsibility.targetSelectors)) return { type: "idle" };
  const { claim } = responsibility;
  if (claim.type === "theirs") {
    return claim.holder === undefined ? { type: "idle" } : { type: "stepBack", holder: claim.holder };
  }
  if (claim.type === "wait") return { type: "wait", leftMs: claim.leftMs };
  // A job that came while the other one was at work between jobs is not picked up yet: its pickup says who has it.
  if (claim.type === "orphaned" && isPickedUp(item)) return { type: "takeOver" };
  const isResumed = isPickedUp(item);
  const isDeleting = isResumed ? isDeletingPhase(item) : item.metadata.deletionTimestamp !== undefined;
  if (isDeleting) {
    if (!hasFinalizer(item)) return { type: "complete" };
    if (item.metadata.annotations?.[annotations.deleteWithoutUninstall] === "true") {
      return { type: "release", leaves: target.state !== "missing" && !isUntouched(item.status) };
    }
  }
  const isLate = observed.deadline !== undefined && elapsedMs >= observed.deadline;
  if (isResumed && isLate) return { type: "timeOut", isDeleting };
  if (target.state === "missing") {
    // What no deployer ever touched needs no target to go.
    if (isDeleting && isUntouched(item.status)) return { type: "release", leaves: false };
    return { type: "targetMissing", targetName: target.name, isDeleting };
  }
  if (isResumed) return { type: "resume", isDeleting, isTest };
  if (!isDeleting && !isTest && isUnchanged(item) && responsibility.isOutdated?.() !== true) {
    return { type: "acknowledge" };
  }
  return { type: "start", isDeleting, isTest };
}

/** The annotation is what other deployers filter by, before they read the spec. */
export function isOfType(item: DeployItem, type: string): boolean {
  const annotated = item.metadata.annotations?.[annotations.deployerType];
  return qualifyType(item.spec.type) === type && (annotated === undefined || qualifyType(annotated) === type);
}

/** Whether an instance with these selectors acts for the item. */
export function isSelected(
  { item, target }: Pick<ObservedItem, "item" | "target">,
  targetSelectors: readonly TargetSelector[],
): boolean {
  switch (target.state) {
    case "none":
      return true;
    case "elsewhere":
      return false;
    case "found":
      return matchesTargetSelectors(targetSelectors, target.target);
    case "missing":
      return matchesMissingTarget(targetSelectors, { namespace: item.metadata.namespace, name: target.name });
  }
}

/** Picked up: a job is open in a phase that is neither final nor empty, and the pickup said when. */
export function isPickedUp({ status }: DeployItem): boolean {
  return isJobOpen(status) && isJobAtWork(status?.phase) && status?.transitionTimes?.initTime !== undefined;
}

function hasFailedDeletion({ metadata, status }: DeployItem): boolean {
  const isTried = status?.jobIDFinished === forcedJobId;
  return metadata.deletionTimestamp !== undefined && status?.phase === "DeleteFailed" && !isTried;
}

function isDeletingPhase({ status }: DeployItem): boolean {
  return status?.phase === "InitDelete" || status?.phase === "Deleting";
}

function hasFinalizer({ metadata }: DeployItem): boolean {
  return metadata.finalizers?.includes(finalizer) === true;
}

function isUnchanged({ metadata, spec, status }: DeployItem): boolean {
  return (
    spec.updateOnChangeOnly === true &&
    status?.phase === "Succeeded" &&
    status.observedGeneration === metadata.generation
  );
}
