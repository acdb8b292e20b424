import type { LandscaperError } from "@landscaper/api";

/**
 * What errors would say if nothing in them were secret. It stays inside this process: only `traceSecrets` reads it, to compare it
 * with that of a second rendering.
 */
const frankMessages = new WeakMap<LandscaperError, string>();

/** Gives an error, whose own message quotes no operands, the message that does. */
export function withFrankMessage(error: LandscaperError, message: string): LandscaperError {
  frankMessages.set(error, message);
  return error;
}

/** Undefined for an error whose own message is all there is. */
export function frankMessageOf(error: LandscaperError): string | undefined {
  return frankMessages.get(error);
}
