import { describeFault, internalError, isFault, LandscaperError, redactQuoted } from "@landscaper/api";
import { ApiError, isConflict, isQuotaExceeded, isTooLarge } from "@landscaper/controller-runtime";

/** How a reconciler goes on after an error. */
export type FailureClass =
  /** A lost race: read again, decide again. */
  | "conflict"
  /** Nobody is to blame; trying again helps. */
  | "transient"
  /** Only a change by the user helps: the job fails. */
  | "fatal";

/** Answers that say "later", not "no"; 404 to a write says that the cache was behind. */
const transientStatuses: ReadonlySet<number> = new Set([404, 408, 409, 425, 429]);

export function classifyFailure(error: unknown): FailureClass {
  if (isConflict(error)) return "conflict";
  if (error instanceof LandscaperError) return error.retry === "never" ? "fatal" : "transient";
  if (isTooLarge(error)) return "fatal";
  if (isQuotaExceeded(error)) return "transient";
  if (error instanceof ApiError) {
    return error.status >= 500 || transientStatuses.has(error.status) ? "transient" : "fatal";
  }
  return "transient";
}

/** A webhook on the way that does not answer (core.md §2.9); it may take long, so that users should see it. */
function isWebhookFailure(error: ApiError): boolean {
  return error.status >= 500 && error.message.includes("webhook");
}

/** Whether users should see in the status why a job does not go on: what is over after a retry only makes noise. */
export function isWorthTelling(error: unknown): boolean {
  if (error instanceof ApiError) return isWebhookFailure(error) || isQuotaExceeded(error);
  return error instanceof LandscaperError || isFault(error);
}

/** What the status says of an error; undefined when it is not a job's own. */
export function toTold(error: unknown): LandscaperError | undefined {
  if (error instanceof LandscaperError) return error;
  return isFault(error) ? internalError("core", describeFault(error)) : undefined;
}

/** The error as it may stand in a status, an event or a log: API servers quote what they refuse. */
export function toSafeError(error: unknown): unknown {
  if (isConflict(error)) return error;
  if (error instanceof ApiError) {
    return new LandscaperError({
      message: redactQuoted(error.message),
      reason: isQuotaExceeded(error) ? "QuotaExceeded" : "ApiRequestFailed",
      codes: isWebhookFailure(error) ? ["ERR_WEBHOOK"] : [],
      retry: classifyFailure(error) === "fatal" ? "never" : "backoff",
    });
  }
  return error;
}
