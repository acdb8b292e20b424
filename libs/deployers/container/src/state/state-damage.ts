import { LandscaperError } from "@landscaper/api";

/** The state that was kept is not what was written. */
export function stateDamage(problem: string): LandscaperError {
  return new LandscaperError({
    reason: "StateDamaged",
    message: `state of the run before: ${problem}`,
    codes: ["ERR_CONFIGURATION_PROBLEM"],
    retry: "never",
  });
}
