import { parseDuration } from "@landscaper/api";
import { InvocationError } from "./usage-error.ts";

/** Parses the value of --timeout, or of another flag, into ms. Throws InvocationError. */
export function parseTimeout(text: string, flag = "--timeout"): number {
  try {
    const timeoutMs = parseDuration(text);
    if (timeoutMs > 0) return timeoutMs;
  } catch {
    // Told below.
  }
  throw new InvocationError(`${flag}: expected a duration such as "90s" or "1h30m", found "${text}"`);
}
