import { LandscaperError, formatDuration, parseDuration, type DeployItem } from "@landscaper/api";

/** For items that name no timeout (core.md §2.8). */
export const defaultTimeoutMs = 10 * 60_000;

/** How long a job of the item may take in ms; undefined = as long as it wants. Throws LandscaperError naming the field. */
export function timeoutOf(item: DeployItem): number | undefined {
  const text = item.spec.timeout;
  if (text === undefined || text === "") return defaultTimeoutMs;
  let timeoutMs: number;
  try {
    timeoutMs = parseDuration(text);
  } catch (cause) {
    throw new LandscaperError({
      message: `spec.timeout: ${cause instanceof Error ? cause.message : "no duration"}`,
      reason: "InvalidTimeout",
      codes: ["ERR_CONFIGURATION_PROBLEM"],
      retry: "never",
      cause,
    });
  }
  return timeoutMs <= 0 ? undefined : timeoutMs;
}

/**
 * When the running job is over, in ms since the epoch: its pickup plus the timeout, not moved by retries (core.md §2.8).
 * `pickedUpAt` is the exact time where it is known; the status has whole seconds. Undefined without pickup or timeout, also
 * where the timeout cannot be read: that fails elsewhere.
 */
export function deadlineOf(item: DeployItem, pickedUpAt: number | undefined): number | undefined {
  const initTime = item.status?.transitionTimes?.initTime;
  const start = pickedUpAt ?? (initTime === undefined ? Number.NaN : Date.parse(initTime));
  if (Number.isNaN(start)) return undefined;
  try {
    const timeoutMs = timeoutOf(item);
    return timeoutMs === undefined ? undefined : start + timeoutMs;
  } catch {
    return undefined;
  }
}

export interface TimedOut {
  readonly what?: "job" | "plan";
  /** What helps against what the job was at. */
  readonly hint?: string | undefined;
}

/** ERR_TIMEOUT; `checkpoint` is what the job was at. */
export function timeoutError(
  item: DeployItem,
  checkpoint: string,
  { what = "job", hint }: TimedOut = {},
): LandscaperError {
  return new LandscaperError({
    message: `timeout at: "${checkpoint}"`,
    reason: "ProgressingTimeout",
    codes: ["ERR_TIMEOUT"],
    hint: [`the ${what} did not end within ${formatDuration(timeoutOf(item) ?? 0)}`, hint].filter(Boolean).join("; "),
    retry: "never",
  });
}
