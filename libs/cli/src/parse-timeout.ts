import { parseDuration } from "@landscaper/api";
import { InvocationError } from "./usage-error.ts";

/** The value of --timeout in ms. Throws InvocationError. */
export function parseTimeout(text: string): number {
  try {
    const timeoutMs = parseDuration(text);
    if (timeoutMs > 0) return timeoutMs;
  } catch {
    // Told below.
  }
  throw new InvocationError(`--timeout: expected a duration such as "90s" or "1h30m", found "${text}"`);
}
