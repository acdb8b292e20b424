import { LandscaperError, redactQuoted } from "@landscaper/api";
import { ApiError, ConnectionError } from "@landscaper/controller-runtime";

/**
 * A failure in a form that may stand in status, events and logs. What we did not word ourselves is masked or left out: the
 * message of an arbitrary error may quote anything.
 */
export function toReportable(error: unknown): LandscaperError {
  if (error instanceof LandscaperError) return error;
  if (error instanceof ApiError) {
    return new LandscaperError({ message: redactQuoted(error.message), reason: "RequestFailed", cause: error.cause });
  }
  if (error instanceof ConnectionError) {
    return new LandscaperError({ message: error.message, reason: "RequestFailed" });
  }
  const name = error instanceof Error ? error.name : typeof error;
  return new LandscaperError({
    message: `internal error of the deployer (${name})`,
    reason: "InternalError",
    hint: "its log has the place",
  });
}

/** Where an error came from, without its message: for the log. */
export function placeOf(error: unknown): string {
  if (!(error instanceof Error) || error.stack === undefined) return "unknown";
  const frames = error.stack.split("\n").filter((line) => /^\s+at /.test(line));
  return frames
    .slice(0, 5)
    .map((line) => line.trim())
    .join(" < ");
}
