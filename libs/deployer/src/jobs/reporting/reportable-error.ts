import {
  describeFileFailure,
  identifyError,
  internalError,
  internalErrorReason,
  LandscaperError,
  listFrames,
  redactQuoted,
} from "@landscaper/api";
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
  const file = describeFileFailure(error);
  if (file === undefined) return internalError("deployer", identifyError(error));
  return new LandscaperError({
    message: `the deployer ${file.message}`,
    reason: internalErrorReason,
    hint: file.remedy,
  });
}

/** Where an error came from, without its message: for the log. */
export function placeOf(error: unknown): string {
  const frames = framesOf(error);
  return frames.length === 0 ? "unknown" : frames.slice(0, 5).join(" < ");
}

/** Returns the places of an error's stack without indentation, for the log. */
export function framesOf(error: unknown): readonly string[] {
  return listFrames(error).map((line) => line.trim());
}
