/** Grace period of runs without a timeout, in seconds. */
export const longestGraceSeconds = 300;
const shortestGraceSeconds = 30;

/**
 * Returns the grace period of a Pod in seconds: the program must end, and wait must save, in this time. It is about half of the remaining time of the job,
 * so that the program can run again after the loss of its Pod. `remainingMs`: undefined without a timeout. Pure.
 */
export function graceSecondsOf(remainingMs: number | undefined): number {
  if (remainingMs === undefined) return longestGraceSeconds;
  const half = Math.ceil(remainingMs / 20_000) * 10;
  return Math.min(longestGraceSeconds, Math.max(shortestGraceSeconds, half));
}
