import { ApiError, backoffDelayMs, ConnectionError, isQuotaExceeded, type Clock } from "@landscaper/controller-runtime";

export interface RetryOptions {
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: (line: string) => void;
}

const backoff = { baseMs: 500, maxMs: 15_000 };
/** Two minutes: longer than an API server takes to start anew. */
const maxAttempts = 12;

/** Does a write that may be repeated until the API server has answered it. Throws what it answers, and the last failure when it does not. */
export async function writeUntilAnswered<T>(write: () => Promise<T>, options: RetryOptions): Promise<T> {
  const { clock, random, log } = options;
  for (let failures = 1; ; failures += 1) {
    try {
      return await write();
    } catch (error) {
      if (!mayPass(error) || failures >= maxAttempts) throw error;
      const delayMs = backoffDelayMs(backoff, failures, random);
      log(`${error.message}; trying again in ${delayMs} ms`);
      await clock.sleep(delayMs);
    }
  }
}

function mayPass(error: unknown): error is ApiError | ConnectionError {
  if (error instanceof ConnectionError || isQuotaExceeded(error)) return true;
  return error instanceof ApiError && (error.status >= 500 || error.status === 429);
}
