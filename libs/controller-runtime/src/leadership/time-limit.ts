import type { Clock } from "../controller-interface.ts";

export interface TimeLimit {
  readonly clock: Clock;
  readonly limitMs: number;
  /** Aborts the work, too. */
  readonly signal?: AbortSignal | undefined;
}

/** Runs something that ends when its signal is aborted, and aborts it when the time is up. */
export async function withTimeLimit<T>(
  { clock, limitMs, signal }: TimeLimit,
  run: (options: { readonly signal: AbortSignal }) => Promise<T>,
): Promise<T> {
  const limit = new AbortController();
  const cancel = clock.schedule(limitMs, () => limit.abort(new Error(`no answer within ${limitMs / 1000} s`)));
  try {
    return await run({ signal: signal === undefined ? limit.signal : AbortSignal.any([signal, limit.signal]) });
  } finally {
    cancel();
  }
}
