import { backoffDelayMs } from "../backoff.ts";
import type { Random } from "../backoff.ts";

export type FailedAttempt =
  | { readonly kind: "answer"; readonly status: number; readonly retryAfterMs: number | undefined }
  | { readonly kind: "connection"; readonly maybeSent: boolean };

export interface RetryQuestion {
  readonly isRead: boolean;
  /** Attempts made so far, at least 1. */
  readonly attempts: number;
  readonly failure: FailedAttempt;
}

const backoff = { baseMs: 200, maxMs: 5_000 };
const maxAttempts = 5;
/** A throttled request has cost the server nothing: be patient, as client-go is. */
const maxThrottledAttempts = 10;
const maxRetryAfterMs = 30_000;

/** Delay in ms before the next attempt, or undefined to give up. The rules are those of the Client interface. */
export function decideRetry(question: RetryQuestion, random: Random): number | undefined {
  const { failure, attempts } = question;
  if (failure.kind === "answer" && failure.retryAfterMs !== undefined && isThrottled(question)) {
    if (attempts >= maxThrottledAttempts) return undefined;
    const waitMs = Math.min(failure.retryAfterMs, maxRetryAfterMs);
    return waitMs + Math.round(random() * Math.max(100, waitMs / 4));
  }
  if (attempts >= maxAttempts) return undefined;
  const isRetryable = failure.kind === "connection" ? question.isRead || !failure.maybeSent : isRetryableRead(question);
  return isRetryable ? backoffDelayMs(backoff, attempts, random) : undefined;
}

/** 429 is refused before it is executed, so a write may be repeated; a 5xx with Retry-After proves that for reads only. */
function isThrottled({ failure, isRead }: RetryQuestion): boolean {
  return failure.kind === "answer" && (failure.status === 429 || (isRead && failure.status >= 500));
}

function isRetryableRead({ failure, isRead }: RetryQuestion): boolean {
  return isRead && failure.kind === "answer" && (failure.status === 429 || failure.status >= 500);
}

/** The header Retry-After (seconds, or a date by the clock that the header Date shows) in ms. */
export function parseRetryAfter(retryAfter: string | undefined, date: string | undefined): number | undefined {
  if (retryAfter === undefined) return undefined;
  if (/^[0-9]+$/.test(retryAfter.trim())) return Number(retryAfter) * 1000;
  const delayMs = Date.parse(retryAfter) - Date.parse(date ?? "");
  return Number.isNaN(delayMs) ? undefined : Math.max(0, delayMs);
}
