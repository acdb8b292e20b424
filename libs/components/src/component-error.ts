import { LandscaperError } from "@landscaper/api";

/** Reasons of this library; docs/errors.md says what helps. */
export type ComponentReason = "ComponentNotFound" | "InvalidArchive" | "InvalidComponent" | "RepositoryContextMissing";

/** The error with the place in front, unless it names it already; other errors than LandscaperErrors stay as they are. */
export function placedError(
  error: unknown,
  place: string,
  more: Partial<ConstructorParameters<typeof LandscaperError>[0]> = {},
): unknown {
  if (!(error instanceof LandscaperError)) return error;
  const { message, reason, operation, codes, hint, at, host, retry, isMasked, cause } = error;
  return new LandscaperError({
    message: message.startsWith(place) ? message : `${place}: ${message}`,
    reason,
    operation,
    codes,
    hint,
    at,
    host,
    retry,
    isMasked,
    cause,
    ...more,
  });
}

/** What fails in the work names the place: component, and resource. */
export async function withPlace<T>(place: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw placedError(error, place);
  }
}

/** A component version has no local content of a reference. */
export class MissingContentError extends LandscaperError {
  /** `where` names the component version. */
  constructor(where: string, reference: string) {
    super({
      reason: "InvalidComponent",
      message: `${where}: there is no local content ${JSON.stringify(reference)}`,
      codes: ["ERR_CONFIGURATION_PROBLEM"],
      retry: "never",
    });
  }
}

/** A mistake in what a repository holds: only another content helps. */
export function componentError(reason: ComponentReason, message: string): LandscaperError {
  return new LandscaperError({ reason, message, codes: ["ERR_CONFIGURATION_PROBLEM"], retry: "never" });
}
