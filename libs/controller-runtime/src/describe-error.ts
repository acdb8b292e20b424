import { ApiError } from "./client/api-error.ts";
import { errorMessage, textMember } from "./error-members.ts";

/**
 * What a log line says of an error: type, message and machine-readable marks, never other properties (they may hold bodies).
 * The stack only where it helps: errors of the API and of users explain themselves.
 */
export function describeError(error: unknown): Readonly<Record<string, unknown>> {
  const type = textMember(error, "name") ?? typeof error;
  const code = textMember(error, "code");
  const reason = textMember(error, "reason");
  const stack = programmingErrors.has(type) ? textMember(error, "stack") : undefined;
  return {
    type,
    message: errorMessage(error),
    ...(error instanceof ApiError ? { status: error.status } : {}),
    ...(code === undefined ? {} : { code }),
    ...(reason === undefined ? {} : { reason }),
    ...(stack === undefined ? {} : { stack }),
  };
}

const programmingErrors: ReadonlySet<string> = new Set([
  "TypeError",
  "ReferenceError",
  "RangeError",
  "SyntaxError",
  "Error",
]);
