import { LandscaperError } from "@landscaper/api";

/** What a user has to correct: in the TargetSync, or in the Secret that it names. Tried again, because that Secret may change. */
export function invalidTargetSync(message: string): LandscaperError {
  return new LandscaperError({ message, reason: "InvalidTargetSync", codes: ["ERR_CONFIGURATION_PROBLEM"] });
}
