import {
  conditionTypes,
  deployItemPhases,
  isJobOpen,
  isPickedUp,
  LandscaperError,
  parseDuration,
  type DeployItem,
} from "@landscaper/api";

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
  /** The Target that the item names does not exist. */
  readonly isTargetMissing: boolean;
}

export type TimeoutDecision =
  | { readonly kind: "rest" }
  /** Not yet; look again after so many ms. */
  | { readonly kind: "wait"; readonly requeueAfterMs: number }
  | { readonly kind: "fail"; readonly error: LandscaperError };

/** Time stamps have whole seconds; so long after the deadline it has surely passed. */
const roundingMs = 1000;

/** The watchdog over items that no deployer takes, and over deployers that do not keep the time (core.md §2.8, §1.5 D9). */
export function decideTimeout(observed: ObservedDeployItem, settings: TimeoutSettings, nowMs: number): TimeoutDecision {
  const status = observed.deployItem.status ?? {};
  if (!isJobOpen(status)) return { kind: "rest" };
  return isPickedUp(status)
    ? decideProgressing(observed.deployItem, settings, nowMs)
    : decidePickup(observed, settings, nowMs);
}

function decidePickup(
  { deployItem, isTargetMissing }: ObservedDeployItem,
  { pickupMs }: TimeoutSettings,
  nowMs: number,
): TimeoutDecision {
  if (pickupMs <= 0) return { kind: "rest" };
  const { jobIDGenerationTime } = deployItem.status ?? {};
  // Without the time nothing has been waited yet (core.md §2.8).
  const waitedMs = jobIDGenerationTime === undefined ? 0 : nowMs - Date.parse(jobIDGenerationTime);
  if (waitedMs < pickupMs) return { kind: "wait", requeueAfterMs: pickupMs - waitedMs + roundingMs };
  const silence = deployItem.status?.conditions?.find(({ type }) => type === conditionTypes.environmentReachable);
  const told = silence === undefined ? "" : `. ${silence.message}`;
  const hint = isTargetMissing ? ", probably because the referenced Target does not exist" : told;
  return {
    kind: "fail",
    error: new LandscaperError({
      message: `no deployer has reconciled this deployitem within ${pickupMs / 1000} seconds${hint}`,
      reason: "PickupTimeout",
      operation: "WaitingForPickup",
      codes: ["ERR_TIMEOUT"],
    }),
  };
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
    return new LandscaperError({
      message,
      reason: "InvalidTimeout",
      operation: "Progressing",
      codes: error.codes,
      retry: "never",
    });
  }
}

function decideProgressing(deployItem: DeployItem, settings: TimeoutSettings, nowMs: number): TimeoutDecision {
  const timeoutMs = timeoutOf(deployItem, settings);
  if (timeoutMs instanceof LandscaperError) return { kind: "fail", error: timeoutMs };
  const { lastReconcileTime } = deployItem.status ?? {};
  if (timeoutMs <= 0 || lastReconcileTime === undefined) return { kind: "rest" };
  const remainingMs = Date.parse(lastReconcileTime) + timeoutMs + settings.graceMs - nowMs;
  if (remainingMs > 0) return { kind: "wait", requeueAfterMs: remainingMs + roundingMs };
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
