import { LandscaperError } from "@landscaper/api";

/** Which of the files of a program is refused. */
export type RefusalReason = "StateRefused" | "ExportsRefused";

/** A mistake of the program in what it left. Its path is part of the message, its content never is. */
export function fileRefusal(reason: RefusalReason, message: string): LandscaperError {
  return new LandscaperError({ reason, message, codes: ["ERR_CONFIGURATION_PROBLEM"], retry: "never" });
}
