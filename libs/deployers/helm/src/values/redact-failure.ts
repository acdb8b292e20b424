import { LandscaperError, collectErrorCodes, isFault, redactMessageInTurns } from "@landscaper/api";
import { createBreather } from "@landscaper/controller-runtime";

/** The failure without the secrets in its message: templates, schemas, hooks and the target may repeat what they were given. */
export async function redactFailure<T>(error: T, secrets: readonly unknown[]): Promise<T | LandscaperError> {
  if (secrets.length === 0) return error;
  if (!(error instanceof LandscaperError)) return isFault(error) ? await redactFault(error, secrets) : error;
  if (error.isMasked) return error;
  const message = await redactMessageInTurns(error.message, secrets, createBreather());
  if (message === error.message) return error;
  const { reason, operation, hint, at, retry } = error;
  return new LandscaperError({ message, reason, operation, codes: collectErrorCodes(error), hint, at, retry });
}

/** Of the same class, with the stack of the fault. */
async function redactFault<T extends Error>(fault: T, secrets: readonly unknown[]): Promise<T> {
  const { message, stack = "" } = fault;
  const masked = await redactMessageInTurns(message, secrets, createBreather());
  if (masked === message) return fault;
  // A fault is thrown once, by us.
  return Object.assign(fault, { message: masked, stack: stack.replace(message, masked) });
}
