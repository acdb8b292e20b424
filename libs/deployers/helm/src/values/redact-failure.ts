import { LandscaperError, collectErrorCodes, redactMessage } from "@landscaper/api";

/** The failure without the secrets in its message: templates, schemas, hooks and the target may repeat what they were given. */
export function redactFailure<T>(error: T, secrets: readonly unknown[]): T | LandscaperError {
  if (!(error instanceof LandscaperError) || error.isMasked || secrets.length === 0) return error;
  const message = redactMessage(error.message, secrets);
  if (message === error.message) return error;
  const { reason, operation, hint, at, retry } = error;
  return new LandscaperError({ message, reason, operation, codes: collectErrorCodes(error), hint, at, retry });
}
