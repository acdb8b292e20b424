import { ApiError } from "./api-error.ts";

/**
 * What a log line says of an error: type, message and machine-readable marks, never other properties (they may hold bodies).
 * The stack only where it helps: errors of the API and of users explain themselves.
 */
export function describeError(error: unknown): Readonly<Record<string, unknown>> {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) };
  const marks = {
    type: error.name,
    message: error.message,
    ...(error instanceof ApiError ? { status: error.status } : {}),
    ...textMember(error, "code"),
    ...textMember(error, "reason"),
  };
  return isProgrammingError(error) ? { ...marks, stack: error.stack } : marks;
}

const programmingErrors: ReadonlySet<string> = new Set([
  "TypeError",
  "ReferenceError",
  "RangeError",
  "SyntaxError",
  "Error",
]);

function isProgrammingError(error: Error): boolean {
  return programmingErrors.has(error.name);
}

function textMember(error: Error, name: "code" | "reason"): Record<string, string> {
  const value: unknown = Reflect.get(error, name);
  return typeof value === "string" && value !== "" ? { [name]: value } : {};
}
