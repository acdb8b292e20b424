import { capMessage, describeFileFailure, identifyError, LandscaperError, listFrames } from "@landscaper/api";
import { CommanderError } from "commander";
import { ApiError, ConnectionError } from "@landscaper/controller-runtime";
import { CommandExit, InvocationError, PrintedError, UsageError } from "./usage-error.ts";

/** 1 for what failed, 2 for a command that was called the wrong way, 0 for help that was asked for; what a command says for its own. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof CommandExit) return error.exitCode;
  return error instanceof InvocationError ? 2 : 1;
}

/**
 * Returns the text for stderr: one message for an error that users can correct. For a defect, the type of the error and the places of its stack, because
 * the message of a library may quote anything.
 */
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
  if (error instanceof UsageError || error instanceof ApiError || error instanceof ConnectionError) {
    return `error: ${capMessage(error.message)}\n`;
  }
  const file = describeFileFailure(error);
  if (file !== undefined) return `error: ${capMessage(file.message)}\n${file.remedy}.\n`;
  const frames = listFrames(error).map((line) => `${line}\n`);
  return `error: internal error of the command (${identifyError(error)}). Report it with these lines:\n${frames.join("")}`;
}
