import { LandscaperError, type ErrorCode, type SourceLocation } from "@landscaper/api";

/** Reasons of lastError that this library gives (core.md §2.9). */
export type BlueprintErrorReason =
  | "BlueprintFileMissing"
  | "ConstructExports"
  | "ConstructImports"
  | "ContentLimitExceeded"
  | "CyclicDependencies"
  | "EnsureSubinstallations"
  | "ExportNotDeclared"
  | "ImportNotSatisfied"
  | "ImportTypeMismatch"
  | "InvalidDefaultValue"
  | "InvalidInput"
  | "RenderImportExecutions"
  | "SchemaValidationFailed"
  | "TemplatingFailed";

/** A mistake in a blueprint, its imports or its exports: only a change helps. */
export function blueprintError(
  reason: BlueprintErrorReason,
  message: string,
  details: { hint?: string; at?: readonly SourceLocation[]; codes?: readonly ErrorCode[]; cause?: unknown } = {},
): LandscaperError {
  return new LandscaperError({
    message,
    reason,
    codes: details.codes ?? ["ERR_CONFIGURATION_PROBLEM"],
    hint: details.hint,
    at: details.at,
    retry: "never",
    cause: details.cause,
  });
}

/** What an Installation needs before its blueprint is looked at is missing or wrong: only a change helps. */
export function prerequisiteError(message: string, reason: string, hint: string): LandscaperError {
  return new LandscaperError({
    message,
    reason,
    operation: "InitPrerequisites",
    codes: ["ERR_CONFIGURATION_PROBLEM"],
    hint,
    retry: "never",
  });
}
