import { LandscaperError } from "@landscaper/api";

/** Reasons of this library; docs/errors.md says what helps. */
export type ComponentReason = "ComponentNotFound" | "InvalidArchive" | "InvalidComponent" | "RepositoryContextMissing";

/** Prefixes the message of a LandscaperError with the place, unless it already begins with it. Returns other errors unchanged. */
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

/** Runs the work. A LandscaperError of it gets the place, such as component and resource, in front of its message. */
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
