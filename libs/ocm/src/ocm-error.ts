import { LandscaperError } from "@landscaper/api";

/** A mistake in a descriptor or in a reference into it: only a change helps. */
export function ocmError(message: string): LandscaperError {
  return new LandscaperError({
    message,
    reason: "InvalidInput",
    codes: ["ERR_CONFIGURATION_PROBLEM"],
    retry: "never",
  });
}
