import { collectErrorCodes, LandscaperError } from "@landscaper/api";
import { maskConnection } from "./connection-mask.ts";
import { EgressError } from "./egress-error.ts";

/** The error without the secrets of the connection that it came from; other errors than LandscaperErrors stay as they are. */
export function maskFailure(error: unknown, secrets: readonly string[]): unknown {
  return maskErrorTexts(error, (text) => maskConnection(text, secrets));
}

/** The error with all its texts masked; itself when that changes none, or when it is no LandscaperError. */
export function maskErrorTexts(error: unknown, mask: (text: string) => string): unknown {
  if (!(error instanceof LandscaperError)) return error;
  const message = mask(error.message);
  const hint = error.hint === undefined ? undefined : mask(error.hint);
  if (error instanceof EgressError) return new EgressError(message, { host: error.host, hint: hint ?? "" });
  if (message === error.message && hint === error.hint && error.cause === undefined) return error;
  const { reason, operation, at, host, retry, isMasked } = error;
  const codes = collectErrorCodes(error);
  const cause = error.cause === undefined ? {} : { cause: maskedCause(error.cause, mask) };
  return new LandscaperError({ message, reason, operation, codes, hint, at, host, retry, isMasked, ...cause });
}

/** Message and code of a cause; its other members may hold what the other end has sent. */
export function maskedCause(cause: unknown, mask: (text: string) => string): Error {
  const { message, code } = typeof cause === "object" && cause !== null ? (cause as Record<string, unknown>) : {};
  const text = typeof message === "string" ? mask(message) : "unknown failure";
  return Object.assign(new Error(text), typeof code === "string" ? { code } : {});
}
