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
 * When the job was picked up that another process has begun, as if this one had: the time that deployers have worked on it (`status.workedSeconds`) has passed since then.
 * Times are of this process's `elapsed`, in ms.
 */
export function pickedUpBefore({ status }: DeployItem, elapsedMs: number): number {
  return elapsedMs - Math.max(0, status?.workedSeconds ?? 0) * 1000;
}

/**
 * When the running job is over: its pickup plus the timeout, not moved by retries (core.md §2.8). Times are of this process's `elapsed`, in ms.
 * `pickedUpAt` is undefined for a job that this process has not worked on. Undefined without pickup or timeout, also where the timeout cannot be read: that fails
 * elsewhere.
 */
export function deadlineOf(item: DeployItem, pickedUpAt: number | undefined, elapsedMs: number): number | undefined {
  if (pickedUpAt === undefined && item.status?.transitionTimes?.initTime === undefined) return undefined;
  const start = pickedUpAt ?? pickedUpBefore(item, elapsedMs);
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
