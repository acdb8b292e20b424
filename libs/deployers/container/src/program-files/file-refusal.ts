import { LandscaperError } from "@landscaper/api";

/** Which of the files of a program is refused. */
export type RefusalReason = "StateRefused" | "ExportsRefused";

/** A mistake of the program in what it left. Its path is part of the message, its content never is. */
export function fileRefusal(reason: RefusalReason, message: string): LandscaperError {
  return new LandscaperError({ reason, message, codes: ["ERR_CONFIGURATION_PROBLEM"], retry: "never" });
}

const maxQuotedLength = 200;

/** A path in a message: quoted, and cut when it is long. */
export function quotePath(path: string): string {
  return JSON.stringify(path.length > maxQuotedLength ? `${path.slice(0, maxQuotedLength)}...` : path);
}
