/** Default timeout of waits in tests: longer than any test needs on a busy machine. */
export const patienceMs = 100_000;

export interface WaitOptions {
  /** Default: `patienceMs`. */
  readonly timeoutMs?: number;
  /** Between the first checks. Default 5 ms. See `pauseBetweenChecks`. */
  readonly intervalMs?: number;
  /** Checks at this pace to the end: for checks that move a fake clock a step on. Default: less often the longer it waits. */
  readonly evenly?: boolean;
  /** The message when time is up; its cause is the last error. Default: the last error itself. */
  readonly describe?: () => string | Promise<string>;
}

/**
 * Polls until `check` yields something other than undefined, false or null, and resolves to that; a throwing check counts as
 * "not yet". Rejects after the time-out with the last error, or what it was last.
 */
export async function waitFor<T>(
  check: () => T | Promise<T>,
  options: WaitOptions = {},
): Promise<Exclude<Awaited<T>, undefined | false | null>> {
  const timeoutMs = options.timeoutMs ?? patienceMs;
  const began = performance.now();
  let last: unknown;
  for (;;) {
    try {
      const value = await check();
      if (value !== undefined && value !== false && value !== null) {
        return value as Exclude<Awaited<T>, undefined | false | null>; // Narrowed by the line above.
      }
      last = value;
    } catch (error) {
      last = error;
    }
    const passedMs = performance.now() - began;
    if (passedMs > timeoutMs) throw await timeUp(last, { ...options, timeoutMs });
    await new Promise((resolve) => setTimeout(resolve, pauseBetweenChecks(options, passedMs)));
  }
}

/**
 * Returns the pause (ms) before the next check of a wait that has lasted `passedMs`: a tenth of it, at least `intervalMs` and at most 100. Checks often
 * ask an API server; at a fixed pace of a few milliseconds, long waits keep a processor busy that others could use. With `evenly`, returns `intervalMs`.
 */
export function pauseBetweenChecks(
  { intervalMs = 5, evenly = false }: Pick<WaitOptions, "intervalMs" | "evenly">,
  passedMs: number,
): number {
  return evenly ? intervalMs : Math.max(intervalMs, Math.min(passedMs / 10, 100));
}

async function timeUp(last: unknown, { describe, timeoutMs }: WaitOptions): Promise<unknown> {
  const isFailure = last !== undefined && last !== null && last !== false;
  if (describe !== undefined) return new Error(await describe(), isFailure ? { cause: last } : {});
  return isFailure ? last : new Error(`waitFor: still ${String(last)} after ${timeoutMs} ms`);
}
