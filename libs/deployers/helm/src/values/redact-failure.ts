import { LandscaperError, collectErrorCodes, redactMessageInTurns } from "@landscaper/api";
import { createBreather } from "@landscaper/controller-runtime";

/** The failure without the secrets in its message: templates, schemas, hooks and the target may repeat what they were given. */
export async function redactFailure<T>(error: T, secrets: readonly unknown[]): Promise<T | LandscaperError> {
  if (!(error instanceof LandscaperError) || error.isMasked || secrets.length === 0) return error;
  const message = await redactMessageInTurns(error.message, secrets, createBreather());
  if (message === error.message) return error;
  const { reason, operation, hint, at, retry } = error;
  return new LandscaperError({ message, reason, operation, codes: collectErrorCodes(error), hint, at, retry });
}
