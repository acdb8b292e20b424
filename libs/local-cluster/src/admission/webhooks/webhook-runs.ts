import { callWebhook } from "./call-webhook.ts";
import type { Webhook } from "./parse-webhooks.ts";
import type { WebhookAnswer } from "./read-review.ts";
import { StatusError } from "../../status/status-error.ts";

export interface WebhookCall {
  /** Names the call in all runs of one request. */
  readonly key: string;
  readonly webhook: Webhook;
  readonly request: Readonly<Record<string, unknown>>;
}

/** Leaves a run whose next step needs the answer of a webhook. */
class PendingCall extends Error {
  readonly call: WebhookCall;

  constructor(call: WebhookCall) {
    super(`webhook ${call.webhook.name} has not answered yet`);
    this.call = call;
  }
}

interface Run {
  readonly answers: Map<string, WebhookAnswer>;
  readonly values: Map<string, string>;
  /** How often the current run has asked for each kind of value. */
  counts: Map<string, number>;
}

/** Maximum number of webhook calls for one request, including those of repeated runs. */
const maxCalls = 200;
/** Time limit of all webhook calls of one request, in milliseconds; that of the real server. */
const maxRequestMs = 34_000;

interface RunOptions {
  readonly call?: typeof callWebhook;
  /** Monotonic time in milliseconds. */
  readonly now?: () => number;
}

/**
 * Lets synchronous work call webhooks. If the work needs an answer, the run stops, the webhook is called, and the work runs again from its start
 * with this answer. Therefore nothing is written before the last answer. A run that finds a changed object calls the webhook again.
 */
export class WebhookRuns {
  readonly #callWebhook: typeof callWebhook;
  readonly #now: () => number;
  #run: Run | undefined;

  constructor({ call = callWebhook, now = () => performance.now() }: RunOptions = {}) {
    this.#callWebhook = call;
    this.#now = now;
  }

  /** Runs `work` until it needs no more answers. Rejects with its error, and with StatusError 504 if the webhooks take too long together. */
  async repeat<Result>(work: () => Result): Promise<Result> {
    const run: Run = { answers: new Map(), values: new Map(), counts: new Map() };
    const deadline = this.#now() + maxRequestMs;
    for (let calls = 0; ; calls += 1) {
      const outcome = this.#attempt(run, work);
      if ("result" in outcome) return outcome.result;
      if (calls === maxCalls) throw tooManyCalls();
      const { key, webhook, request } = outcome.pending;
      const timeoutMs = Math.min(webhook.timeoutMs, deadline - this.#now());
      run.answers.set(key, await this.#callWebhook({ ...webhook, timeoutMs }, request));
      if (this.#now() >= deadline) throw timedOut();
    }
  }

  #attempt<Result>(run: Run, work: () => Result): { readonly result: Result } | { readonly pending: WebhookCall } {
    run.counts = new Map();
    this.#run = run;
    try {
      return { result: work() };
    } catch (error) {
      if (!(error instanceof PendingCall)) throw error;
      return { pending: error.call };
    } finally {
      this.#run = undefined;
    }
  }

  /** Whether the current work may call webhooks. Writes of the server's own controllers may not. */
  get mayAsk(): boolean {
    return this.#run !== undefined;
  }

  /** Returns the answer to a call. Throws to stop the run if the webhook has not been called yet. */
  answerTo(call: WebhookCall): WebhookAnswer {
    const answer = this.#run?.answers.get(call.key);
    if (answer === undefined) throw new PendingCall(call);
    return answer;
  }

  /** Returns a generated value that is the same in all runs of a request. */
  sameValue(kind: string, generate: () => string): string {
    const run = this.#run;
    if (run === undefined) return generate();
    const count = run.counts.get(kind) ?? 0;
    run.counts.set(kind, count + 1);
    const key = `${kind}/${count}`;
    const value = run.values.get(key) ?? generate();
    run.values.set(key, value);
    return value;
  }
}

function tooManyCalls(): Error {
  return new Error(
    `one request needs more than ${maxCalls} webhook calls. Delete webhook configurations, or narrow their rules`,
  );
}

function timedOut(): StatusError {
  return new StatusError({
    code: 504,
    reason: "Timeout",
    message: "Timeout: request did not complete within requested timeout - context deadline exceeded",
    details: {},
  });
}
