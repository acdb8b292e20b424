import { LandscaperError } from "@landscaper/api";

/** A configuration that cannot work; `message` names the field. */
export function configError(message: string): LandscaperError {
  return new LandscaperError({
    message,
    reason: "InvalidInput",
    codes: ["ERR_CONFIGURATION_PROBLEM"],
    retry: "never",
  });
}
