import {
  conditionTypes,
  type DeployItem,
  deployItemPhases,
  didYouMean,
  isJobOpen,
  LandscaperError,
  parseDuration,
} from "@landscaper/api";
import type { JobSighting } from "./job-sightings.ts";
import { isReleased } from "./leaving-items.ts";
import { findMeantType } from "../own-deployers.ts";

export interface TimeoutSettings {
  /** How long an item may wait for a deployer, in ms; 0 = for ever. */
  readonly pickupMs: number;
  /** How long a deployer may work on an item that names no timeout, in ms; 0 = for ever. */
  readonly progressingMs: number;
  /** Added to the timeout of an item, so that a deployer that keeps the time itself comes first, in ms. */
  readonly graceMs: number;
}

export interface ObservedDeployItem {
  readonly deployItem: DeployItem;
  readonly sighting: JobSighting;
  /** The Target that the item names does not exist. */
  readonly isTargetMissing: boolean;
}

export type TimeoutDecision =
  | { readonly kind: "rest" }
  /** Not yet; look again after so many ms. */
  | { readonly kind: "wait"; readonly requeueAfterMs: number }
  /** The item is deleted without uninstalling it, and its deployer has had time to remove the marks: remove the finalizer. */
  | { readonly kind: "release" }
  | { readonly kind: "fail"; readonly error: LandscaperError };

/** How long (ms) a deployer has to remove the marks of an item that is deleted without uninstalling it. */
const leaveMs = 30_000;

/** A stored time counts when it is over by so much more (ms): no clock is that wrong. */
const staleMs = 24 * 3_600_000;

/**
 * The watchdog over items that no deployer takes, and over deployers that do not keep the time (core.md §2.8, §1.5 D9). It measures how long this process has seen the job
 * without a sign of a deployer. Stored times count only for a job that was open before this process began, and is overdue by a day: a core that restarts all the time ends waits as well.
 * `elapsedMs` is of the clock of the sighting.
 */
export function decideTimeout(
  observed: ObservedDeployItem,
  settings: TimeoutSettings,
  elapsedMs: number,
): TimeoutDecision {
  const { deployItem, sighting } = observed;
  if (sighting.leavingMs !== undefined && isReleased(deployItem)) {
    const leftMs = sighting.leavingMs + leaveMs - elapsedMs;
    return leftMs > 0 ? { kind: "wait", requeueAfterMs: leftMs } : { kind: "release" };
  }
  if (!isJobOpen(deployItem.status)) return { kind: "rest" };
  return sighting.isPickedUp
    ? decideProgressing(observed, settings, elapsedMs)
    : decidePickup(observed, settings, elapsedMs);
}

/** Whether the stored time was over, by this much and a day, when this process first saw the job. */
function isStale(storedTime: string | undefined, timeoutMs: number, { wasOpenBefore, opened }: JobSighting): boolean {
  // Without a valid time it is NaN, and the comparison is false.
  return wasOpenBefore && opened.nowMs - Date.parse(storedTime ?? "") > timeoutMs + staleMs;
}

function decidePickup(
  { deployItem, isTargetMissing, sighting }: ObservedDeployItem,
  { pickupMs }: TimeoutSettings,
  elapsedMs: number,
): TimeoutDecision {
  if (pickupMs <= 0) return { kind: "rest" };
  const leftMs = sighting.opened.elapsedMs + pickupMs - elapsedMs;
  const isOver = leftMs <= 0 || isStale(deployItem.status?.jobIDGenerationTime, pickupMs, sighting);
  if (!isOver) return { kind: "wait", requeueAfterMs: leftMs };
  const silence = deployItem.status?.conditions?.find(({ type }) => type === conditionTypes.environmentReachable);
  const told = silence === undefined ? "" : `. ${silence.message}`;
  const cause = isTargetMissing ? ", probably because the referenced Target does not exist" : told;
  return {
    kind: "fail",
    error: new LandscaperError({
      message: `no deployer has reconciled this deployitem within ${pickupMs / 1000} seconds${cause}`,
      reason: "PickupTimeout",
      operation: "WaitingForPickup",
      codes: ["ERR_TIMEOUT"],
      hint: cause === "" ? hintForType(deployItem) : undefined,
    }),
  };
}

/** For an item whose Target exists. */
function hintForType({ spec: { type, target } }: DeployItem): string {
  const meant = findMeantType(type);
  if (meant !== undefined) return `correct the type "${type}" of the item${didYouMean(meant)}`;
  const accepting = target === undefined ? "" : " whose targetSelector accepts the Target";
  return `install a deployer for type "${type}"${accepting}, or correct the type of the item`;
}

/** In ms; the error for a text that is no duration: nobody could say when the time is over. A deletion goes on by the default. */
function timeoutOf({ spec, metadata }: DeployItem, settings: TimeoutSettings): number | LandscaperError {
  if (spec.timeout === undefined || spec.timeout === "") return settings.progressingMs;
  try {
    return parseDuration(spec.timeout);
  } catch (error) {
    if (!(error instanceof LandscaperError)) throw error;
    if (metadata.deletionTimestamp !== undefined) return settings.progressingMs;
    const message = `spec.timeout: ${error.message}`;
    return error.with({ message, reason: "InvalidTimeout", operation: "Progressing", retry: "never" });
  }
}

function decideProgressing(
  { deployItem, sighting }: ObservedDeployItem,
  settings: TimeoutSettings,
  elapsedMs: number,
): TimeoutDecision {
  const timeoutMs = timeoutOf(deployItem, settings);
  if (timeoutMs instanceof LandscaperError) return { kind: "fail", error: timeoutMs };
  if (timeoutMs <= 0) return { kind: "rest" };
  const patienceMs = timeoutMs + settings.graceMs;
  const leftMs = sighting.signMs + patienceMs - elapsedMs;
  const hasGivenSign = sighting.signMs !== sighting.opened.elapsedMs;
  const isOver = leftMs <= 0 || (!hasGivenSign && isStale(sighting.lastReconcileTime, patienceMs, sighting));
  if (!isOver) return { kind: "wait", requeueAfterMs: leftMs };
  const phase = deployItem.status?.phase ?? deployItemPhases.progressing;
  return {
    kind: "fail",
    error: new LandscaperError({
      message: `the deployer has not finished this deployitem within ${timeoutMs / 1000} seconds`,
      reason: "ProgressingTimeout",
      operation: phase,
      codes: ["ERR_TIMEOUT"],
    }),
  };
}
