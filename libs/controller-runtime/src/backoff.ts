/** Exponential growth: `baseMs`, 2 x, 4 x ... up to `maxMs`. */
export interface Backoff {
  readonly baseMs: number;
  readonly maxMs: number;
}

/** A number in [0, 1). */
export type Random = () => number;

/**
 * Delay before attempt number `failures` + 1, in ms: half of it fixed, half of it random ("equal jitter"), so that
 * clients that failed together do not come back together.
 */
export function backoffDelayMs(backoff: Backoff, failures: number, random: Random): number {
  const exponent = Math.min(Math.max(failures - 1, 0), 40);
  const full = Math.min(backoff.maxMs, backoff.baseMs * 2 ** exponent);
  return Math.round(full / 2 + (full / 2) * random());
}
