import { LandscaperError } from "./error.ts";
import { redacted } from "../secrecy/redaction.ts";

/** Longer messages hold content. */
const maxLength = 300;

/** The classes of errors that a fault of ours throws. */
const faultNames: ReadonlySet<string> = new Set(["TypeError", "ReferenceError", "RangeError", "SyntaxError", "Error"]);

/** Whether an error is a fault of ours: it has no words for users. What wraps another error is none. */
export function isFault(error: unknown): error is Error {
  return error instanceof Error && faultNames.has(error.name) && error.cause === undefined;
}

/** Class and message of a fault. What a message quotes may be a value: everything between its first and its last quotation mark is masked. */
export function describeFault({ name, message }: Error): string {
  const masked = message.slice(0, maxLength).replace(/["'`].*["'`]|["'`].*$/s, redacted);
  return masked === "" ? name : `${name}: ${masked}`;
}

/** Reason of failures that are faults of a service or deployer. */
export const internalErrorReason = "InternalError";

/** The failure that users see of a fault; `where` says of what, such as "deployer". */
export function internalError(where: string, fault: string): LandscaperError {
  return new LandscaperError({
    message: `internal error of the ${where}: ${fault}`,
    reason: internalErrorReason,
    hint: "its log has the place; please report it",
  });
}
