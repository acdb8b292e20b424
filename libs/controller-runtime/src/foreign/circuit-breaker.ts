import type { Backoff, Random } from "../backoff.ts";
import { backoffDelayMs } from "../backoff.ts";

export interface CircuitBreakerOptions {
  /** Requests in a row without an answer that open it. */
  readonly failures: number;
  /** How long it stays open, the first time and at most. */
  readonly pause: Backoff;
  readonly random: Random;
}

/** Whether a request may leave. */
export type Admission =
  | { readonly type: "send"; readonly isProbe: boolean }
  | {
      readonly type: "refuse";
      readonly failures: number;
      /** Of the last request without an answer. */
      readonly problem: string | undefined;
      readonly nextTryMs: number;
    };

/** A request that `admit` has let pass. */
export interface SentRequest {
  readonly isProbe: boolean;
  /** Why no answer came. */
  readonly problem?: string | undefined;
}

/** How a request ended; "unknown" says nothing about the server: the request was aborted, or never left. */
export type RequestOutcome = "answered" | "unanswered" | "unknown";

/** Pause (ms) for requests that come while another one probes the server. */
const probeWaitMs = 1_000;

/**
 * Refuses requests to a server that does not answer, so that nobody waits for it again and again. Any answer closes it, also one that
 * is an error. State machine; the caller gives the time, of a clock that nobody sets.
 *
 * | state | request | answered | unanswered |
 * |---|---|---|---|
 * | closed | send | count = 0 | count + 1; at the limit: open |
 * | open, before the next try | refuse | closed | - |
 * | open, at the next try | send, as the probe | closed | open, with a longer pause |
 * | probing | refuse | closed | - |
 */
export class CircuitBreaker {
  readonly #options: CircuitBreakerOptions;
  #failures = 0;
  #problem: string | undefined;
  #openings = 0;
  #nextTryMs: number | undefined;
  #isProbing = false;

  constructor(options: CircuitBreakerOptions) {
    this.#options = options;
  }

  get isOpen(): boolean {
    return this.#nextTryMs !== undefined;
  }

  admit(nowMs: number): Admission {
    if (this.#nextTryMs === undefined) return { type: "send", isProbe: false };
    const refusal = { type: "refuse", failures: this.#failures, problem: this.#problem } as const;
    if (nowMs < this.#nextTryMs) return { ...refusal, nextTryMs: this.#nextTryMs };
    if (this.#isProbing) return { ...refusal, nextTryMs: nowMs + probeWaitMs };
    this.#isProbing = true;
    return { type: "send", isProbe: true };
  }

  /** Takes how a request ended; true when that has opened a closed breaker. */
  settle({ isProbe, problem }: SentRequest, outcome: RequestOutcome, nowMs: number): boolean {
    if (isProbe) this.#isProbing = false;
    switch (outcome) {
      case "answered":
        this.#failures = 0;
        this.#openings = 0;
        this.#nextTryMs = undefined;
        return false;
      case "unknown":
        return false;
      case "unanswered": {
        this.#failures++;
        this.#problem = problem;
        const wasOpen = this.isOpen;
        // Requests that left before it opened tell nothing new.
        if (wasOpen ? !isProbe : this.#failures < this.#options.failures) return false;
        this.#openings++;
        this.#nextTryMs = nowMs + backoffDelayMs(this.#options.pause, this.#openings, this.#options.random);
        return !wasOpen;
      }
    }
  }
}
