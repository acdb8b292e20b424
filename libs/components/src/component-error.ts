import { LandscaperError } from "@landscaper/api";

/** Reasons of this library; docs/errors.md says what helps. */
export type ComponentReason = "ComponentNotFound" | "InvalidArchive" | "InvalidComponent" | "RepositoryContextMissing";

/** A mistake in what a repository holds: only another content helps. */
export function componentError(reason: ComponentReason, message: string): LandscaperError {
  return new LandscaperError({ reason, message, codes: ["ERR_CONFIGURATION_PROBLEM"], retry: "never" });
}
