import {
  errorCodes,
  LandscaperError,
  formatDuration,
  parseDuration,
  type DeployItem,
  type ErrorCode,
} from "@landscaper/api";
import type { WaitTrouble } from "../deployer-interface.ts";

/** For items that name no timeout (core.md §2.8). */
export const defaultTimeoutMs = 10 * 60_000;

const timeoutCode = "ERR_TIMEOUT";

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

/** An error, or the lastError of a status, whose message ends with the hint. */
interface ReportedError {
  readonly message: string;
  readonly reason: string;
  readonly hint?: string | undefined;
  readonly codes?: readonly string[] | undefined;
}

/** What a job was at when its time ended: an error that it had not overcome, or something that it waited for. */
export type Obstacle =
  | { readonly error: ReportedError }
  | { readonly waitingFor: string; readonly trouble?: WaitTrouble | undefined };

/**
 * Error of a job or plan that did not end in time, with code ERR_TIMEOUT. An error that the job had not overcome keeps its reason, message, hint and
 * codes: it is what the user has to remove.
 */
export function timeoutError(item: DeployItem, obstacle: Obstacle, what: "job" | "plan" = "job"): LandscaperError {
  const limit = `the ${what} did not end within ${formatDuration(timeoutOf(item) ?? 0)}`;
  if ("error" in obstacle) {
    const { message, reason, hint, codes = [] } = obstacle.error;
    return new LandscaperError({
      message,
      reason,
      codes: [...codes.filter(isErrorCode).filter((code) => code !== timeoutCode), timeoutCode],
      hint: joinHints(hint, limit),
      retry: "never",
    });
  }
  return new LandscaperError({
    message: `timeout at: "${obstacle.waitingFor}"`,
    reason: obstacle.trouble?.reason ?? "ProgressingTimeout",
    codes: [timeoutCode],
    hint: joinHints(obstacle.trouble?.hint, limit),
    retry: "never",
  });
}

function isErrorCode(code: string): code is ErrorCode {
  return (errorCodes as readonly string[]).includes(code);
}

function joinHints(hint: string | undefined, limit: string): string {
  return hint === undefined || hint === "" ? limit : `${hint}; ${limit}`;
}
