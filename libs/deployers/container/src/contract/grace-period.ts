/** Of runs without a timeout, in seconds. */
export const longestGraceSeconds = 300;
const shortestGraceSeconds = 30;

/**
 * How long the program has to end, and wait to save what it has left, when the Pod is deleted, in seconds: about half of what is left of the job, so that
 * the program can be run again after the loss of its Pod. `remainingMs`: undefined without a timeout. Pure.
 */
export function graceSecondsOf(remainingMs: number | undefined): number {
  if (remainingMs === undefined) return longestGraceSeconds;
  const half = Math.ceil(remainingMs / 20_000) * 10;
  return Math.min(longestGraceSeconds, Math.max(shortestGraceSeconds, half));
}
