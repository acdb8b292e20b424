import { LandscaperError, collectErrorCodes, type ErrorCode } from "@landscaper/api";
import { ApiError, CircuitOpenError } from "@landscaper/controller-runtime";

/** Codes that end a job: trying again cannot help (core.md §2.7). */
const finalCodes: ReadonlySet<ErrorCode> = new Set([
  "ERR_CONFIGURATION_PROBLEM",
  "ERR_INTERNAL_PROBLEM",
  "ERR_TIMEOUT",
  "ERR_UNAUTHORIZED",
  "ERR_CYCLIC_DEPENDENCIES",
]);

/** Whether a failure ends the job at once. */
export function isFinalFailure(error: unknown): boolean {
  if (error instanceof LandscaperError && error.retry === "never") return true;
  return collectErrorCodes(error).some((code) => finalCodes.has(code));
}

const retry = { baseMs: 1000, maxMs: 60_000 };
const poll = { baseMs: 250, maxMs: 5000, growth: 1.5 };
const rest = { leastMs: 25_000, mostMs: 35_000 };

/**
 * Pause before attempt number `attempt` + 1 after a failure, in ms: doubled each time, half of it random, never less than the
 * server asked for, or before a server is asked again that does not answer.
 */
export function retryDelayMs(attempt: number, error: unknown, random: () => number): number {
  const full = Math.min(retry.maxMs, retry.baseMs * 2 ** Math.min(attempt - 1, 10));
  const jittered = Math.round(full / 2 + (full / 2) * random());
  return Math.max(jittered, retryAfterMs(error, random));
}

/** Part of the wait for a server that rests over which those are spread that wait for it. */
const restSpread = 0.5;

function retryAfterMs(error: unknown, random: () => number): number {
  for (let current = error; current instanceof Error; current = current.cause) {
    if (current instanceof ApiError && current.retryAfterMs !== undefined) return current.retryAfterMs;
    if (current instanceof CircuitOpenError) return Math.round(current.retryAfterMs * (1 + restSpread * random()));
  }
  return 0;
}

/** Pause before pass number `pass` + 1 of something that is only waited for, in ms: soon at first, then less often. */
export function pollDelayMs(pass: number): number {
  return Math.min(poll.maxMs, Math.round(poll.baseMs * poll.growth ** Math.min(pass - 1, 20)));
}

/** Pause where watches tell of every change: only in case that one does not, in ms. */
export function restDelayMs(random: () => number): number {
  return Math.round(rest.leastMs + (rest.mostMs - rest.leastMs) * random());
}
