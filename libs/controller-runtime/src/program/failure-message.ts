import { describeFileFailure, LandscaperError, listFrames } from "@landscaper/api";
import { ApiError, ConnectionError } from "../client/api-error.ts";

/** The kubelet takes this many bytes of a termination message. */
export const maxMessageBytes = 4096;

/**
 * What people may read of a failure, at most 4096 bytes: of mistakes and refusals their messages, which hold no values; of errors of the system what was done with which path; of anything else only
 * where it happened, because its message may hold anything.
 */
export function failureMessage(error: unknown): string {
  return cutBytes(describe(error), maxMessageBytes);
}

function describe(error: unknown): string {
  if (error instanceof LandscaperError) {
    const hint = error.hint === undefined ? "" : `\nhint: ${error.hint}`;
    return `${error.reason}: ${error.message}${hint}`;
  }
  if (error instanceof ApiError || error instanceof ConnectionError) return error.message;
  if (!(error instanceof Error)) return "internal error";
  const file = describeFileFailure(error);
  const frames = listFrames(error).map((line) => `\n${line}`);
  return file === undefined ? `internal error: ${error.name}${frames.join("")}` : `${file.message}. ${file.remedy}`;
}

/** Cut between characters. */
function cutBytes(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return text;
  const end = "...";
  // What is cut within a character ends in a replacement character.
  return `${bytes
    .subarray(0, maxBytes - end.length)
    .toString()
    .replace(/\uFFFD$/, "")}${end}`;
}
