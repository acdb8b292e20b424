import { LandscaperError } from "@landscaper/api";
import { ApiError, ConnectionError } from "@landscaper/controller-runtime";
import { PrintedError, UsageError } from "./usage-error.ts";

/** What to print on stderr: one message for what users can put right, the stack for a defect of ours. */
export function describeFailure(error: unknown): string {
  if (error instanceof PrintedError) return error.message;
  if (error instanceof LandscaperError)
    return `error: ${error.message}${error.hint === undefined ? "" : `\n${error.hint}`}\n`;
  if (error instanceof UsageError || error instanceof ApiError || error instanceof ConnectionError) {
    return `error: ${error.message}\n`;
  }
  return `${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`;
}
