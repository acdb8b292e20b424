import { capMessage, LandscaperError } from "@landscaper/api";
import { CommanderError } from "commander";
import { ApiError, ConnectionError } from "@landscaper/controller-runtime";
import { CommandExit, InvocationError, PrintedError, UsageError } from "./usage-error.ts";

/** 1 for what failed, 2 for a command that was called the wrong way, 0 for help that was asked for; what a command says for its own. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof CommandExit) return error.exitCode;
  return error instanceof InvocationError ? 2 : 1;
}

/** What to print on stderr: one message for what users can put right, the stack for a defect of ours. */
export function describeFailure(error: unknown): string {
  // commander has told already.
  if (error instanceof CommanderError) return "";
  if (error instanceof CommandExit) return error.cause === undefined ? "" : describeFailure(error.cause);
  if (error instanceof PrintedError) return error.message;
  if (error instanceof LandscaperError)
    return `error: ${capMessage(error.message)}${error.hint === undefined ? "" : `\n${error.hint}`}\n`;
  if (error instanceof ApiError && error.status === 401) {
    return `error: the API server refuses the credentials of the kubeconfig: ${error.message}\n`;
  }
  if (
    error instanceof UsageError ||
    error instanceof ApiError ||
    error instanceof ConnectionError ||
    isFileError(error)
  ) {
    return `error: ${capMessage(error.message)}\n`;
  }
  return `${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`;
}

/** Returns true for an error of the file system, whose message names the call and the path. */
function isFileError(error: unknown): error is Error {
  return error instanceof Error && "syscall" in error && "path" in error && typeof error.path === "string";
}
