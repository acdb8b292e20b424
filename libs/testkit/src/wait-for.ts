export interface WaitOptions {
  /** Default 10 s. */
  readonly timeoutMs?: number;
  readonly intervalMs?: number;
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
  const timeoutMs = options.timeoutMs ?? 10_000;
  const deadline = performance.now() + timeoutMs;
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
    if (performance.now() > deadline) throw await timeUp(last, { ...options, timeoutMs });
    await new Promise((resolve) => setTimeout(resolve, options.intervalMs ?? 5));
  }
}

async function timeUp(last: unknown, { describe, timeoutMs }: WaitOptions): Promise<unknown> {
  const isFailure = last !== undefined && last !== null && last !== false;
  if (describe !== undefined) return new Error(await describe(), isFailure ? { cause: last } : {});
  return isFailure ? last : new Error(`waitFor: still ${String(last)} after ${timeoutMs} ms`);
}
