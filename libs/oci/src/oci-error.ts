import { LandscaperError, type ErrorCode } from "@landscaper/api";

/** Reasons of this library; docs/errors.md says what helps. */
export type OciReason =
  | "InvalidReference"
  | "InvalidRegistryCredentials"
  | "RegistryUnauthorized"
  | "RegistryForbidden"
  | "RegistryNotFound"
  | "RegistryUnavailable"
  | "RegistryUnreachable"
  | "RegistryRefused"
  | "InvalidRegistryAnswer"
  | "DigestMismatch"
  | "ContentTooLarge";

/** Reasons that are not retryable, with their error codes. */
const finalCodes: Partial<Record<OciReason, readonly ErrorCode[]>> = {
  InvalidReference: ["ERR_CONFIGURATION_PROBLEM"],
  InvalidRegistryCredentials: ["ERR_CONFIGURATION_PROBLEM"],
  RegistryUnauthorized: ["ERR_UNAUTHORIZED"],
  RegistryForbidden: ["ERR_UNAUTHORIZED"],
  ContentTooLarge: ["ERR_CONFIGURATION_PROBLEM"],
};

export interface OciErrorOptions {
  readonly reason: OciReason;
  readonly message: string;
  readonly hint?: string | undefined;
  readonly host?: string | undefined;
  readonly cause?: unknown;
}

/** An error of a registry or of what was said about it. Messages never hold credentials. */
export function ociError(options: OciErrorOptions): LandscaperError {
  const codes = finalCodes[options.reason];
  return new LandscaperError({ ...options, ...(codes === undefined ? {} : { codes, retry: "never" as const }) });
}
