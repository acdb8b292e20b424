import { LandscaperError, type LandscaperErrorOptions } from "./error.ts";

/** Returns the error for an invalid setting of a program. It is never retried: the operator must correct the setting. */
export function configurationError(
  message: string,
  options: Pick<LandscaperErrorOptions, "hint" | "cause"> = {},
): LandscaperError {
  return new LandscaperError({
    ...options,
    message,
    reason: "InvalidConfiguration",
    codes: ["ERR_CONFIGURATION_PROBLEM"],
    retry: "never",
  });
}
