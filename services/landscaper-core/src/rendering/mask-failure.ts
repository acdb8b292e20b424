import { LandscaperError, redactLeaves } from "@landscaper/api";

/** The error as it may stand in a status: without `values`, which must not be told. One that is masked already stays as it is. */
export function maskFailure(error: LandscaperError, values: unknown): LandscaperError {
  if (error.isMasked) return error;
  const { hint } = error;
  return withTexts(error, {
    message: redactLeaves(error.message, values),
    hint: hint === undefined ? undefined : redactLeaves(hint, values),
  });
}

/** The same error with other words, and without its cause. */
export function withTexts(
  { reason, operation, codes, at, host, retry, isMasked }: LandscaperError,
  { message, hint }: { readonly message: string; readonly hint: string | undefined },
): LandscaperError {
  return new LandscaperError({ message, reason, operation, codes, hint, at, host, retry, isMasked });
}
