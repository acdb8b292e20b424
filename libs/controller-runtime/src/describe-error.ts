import { describeFileFailure, identifyError, LandscaperError, listFrames } from "@landscaper/api";
import { ApiError, ConnectionError } from "./client/api-error.ts";
import { errorMessage, textMember } from "./error-members.ts";

/**
 * What a log line says of an error: type, message and machine-readable marks, never other properties (they may hold bodies). Errors of libraries and of the
 * runtime that have a code are described without their own text, which may quote anything.
 * The stack only where it helps: errors of the API and of users explain themselves.
 */
export function describeError(error: unknown): Readonly<Record<string, unknown>> {
  const type = textMember(error, "name") ?? typeof error;
  const code = textMember(error, "code");
  const reason = isForeign(error) ? undefined : textMember(error, "reason");
  const stack = programmingErrors.has(type) ? stackOf(error) : undefined;
  return {
    type,
    message: isForeign(error) ? (describeFileFailure(error)?.message ?? identifyError(error)) : errorMessage(error),
    ...(error instanceof ApiError ? { status: error.status } : {}),
    ...(code === undefined ? {} : { code }),
    ...(reason === undefined ? {} : { reason }),
    ...(stack === undefined ? {} : { stack }),
  };
}

/**
 * Describes an error in a status, an Event or a note: with its message if Landscaper or the API server has written it, with the words of Landscaper if a
 * call of the file system has failed, otherwise with its code or type.
 */
export function explainError(error: unknown): string {
  if (isOwn(error)) return error.message;
  const file = describeFileFailure(error);
  return file === undefined ? `internal error: ${identifyError(error)}` : `${file.message}. ${file.remedy}`;
}

function isOwn(error: unknown): error is Error {
  return error instanceof LandscaperError || error instanceof ApiError || error instanceof ConnectionError;
}

/** Whether a library or the runtime has thrown the error: their errors have codes. */
function isForeign(error: unknown): error is Error {
  return error instanceof Error && !isOwn(error) && textMember(error, "code") !== undefined;
}

/** The message of a foreign error is the beginning of its stack. */
function stackOf(error: unknown): string | undefined {
  return isForeign(error) ? listFrames(error).join("\n") : textMember(error, "stack");
}

const programmingErrors: ReadonlySet<string> = new Set([
  "TypeError",
  "ReferenceError",
  "RangeError",
  "SyntaxError",
  "Error",
]);
