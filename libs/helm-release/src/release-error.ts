import { LandscaperError } from "@landscaper/api";

export type ReleaseReason =
  | "InvalidRelease"
  | "ReleaseTooLarge"
  | "ReleaseBusy"
  | "ReleaseOwnership"
  | "DuplicateObject"
  | "HookFailed";

/** Reasons that are not retryable. */
const finalReasons = new Set<ReleaseReason>(["ReleaseTooLarge", "ReleaseOwnership", "DuplicateObject", "HookFailed"]);

export function releaseError(
  reason: ReleaseReason,
  message: string,
  { cause, hint }: { readonly cause?: unknown; readonly hint?: string } = {},
): LandscaperError {
  const isFinal = finalReasons.has(reason);
  return new LandscaperError({ message, reason, cause, hint, ...(isFinal ? { retry: "never" as const } : {}) });
}
