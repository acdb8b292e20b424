import type { ApiRequestSample } from "../observability/metrics-interface.ts";
import { ApiError, ConnectionError } from "./api-error.ts";
import type { Random } from "../backoff.ts";
import type { Clock } from "../controller-interface.ts";
import { parseStatus } from "./parse-answer.ts";
import { decideRetry, parseRetryAfter } from "./retry-policy.ts";
import type { FailedAttempt } from "./retry-policy.ts";
import type { Transport, TransportRequest, TransportResponse } from "./transport.ts";

/** One call: the request plus its labels for metrics. */
export interface Call extends TransportRequest {
  readonly verb: string;
  readonly resource: string;
  /** Default: parsed JSON. */
  readonly answer?: "json" | "text" | undefined;
}

export interface RequestRunnerOptions {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly random: Random;
  readonly onRequest: (sample: ApiRequestSample) => void;
}

export interface RequestRunner {
  /** The parsed JSON of an answer < 400, or its text. */
  run(call: Call): Promise<unknown>;
  /** The open answer of a watch; not retried, as its caller has to decide from where. */
  open(call: Call): Promise<TransportResponse>;
}

/** Sends, measures, turns error answers into ApiError, and retries by the rules of decideRetry. */
export function createRequestRunner(options: RequestRunnerOptions): RequestRunner {
  const { clock, random } = options;
  return {
    open: (call) => attempt(call, options, (response) => Promise.resolve(response)),
    run: async (call) => {
      for (let attempts = 1; ; attempts++) {
        try {
          return await attempt(call, options, call.answer === "text" ? readText : readJson);
        } catch (error) {
          const failure = describeFailure(error);
          if (failure === undefined) throw error;
          const delayMs = decideRetry({ isRead: call.method === "GET", attempts, failure }, random);
          if (delayMs === undefined) throw error;
          await clock.sleep(delayMs, call.signal);
        }
      }
    },
  };
}

async function attempt<T>(
  call: Call,
  { transport, clock, onRequest }: RequestRunnerOptions,
  read: (response: TransportResponse) => Promise<T>,
): Promise<T> {
  const startedMs = clock.now();
  const sample = (code: string): void =>
    onRequest({ verb: call.verb, resource: call.resource, code, durationMs: clock.now() - startedMs });
  /** What `send` throws is converted already. */
  const reading = <R>(result: Promise<R>): Promise<R> =>
    result.catch((error: unknown) => {
      throw transport.failure(call, error);
    });
  try {
    const response = await transport.send(call);
    const { status } = response;
    if (status >= 400) throw await reading(readApiError(call, response, clock));
    const result = await reading(read(response));
    sample(String(status));
    return result;
  } catch (error) {
    sample(error instanceof ApiError ? String(error.status) : "none");
    throw error;
  }
}

async function readText(response: TransportResponse): Promise<string> {
  return await response.body.text();
}

async function readJson(response: TransportResponse): Promise<unknown> {
  const text = await response.body.text();
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own message would quote the answer.
    throw new Error("the answer is not JSON");
  }
}

async function readApiError(call: Call, response: TransportResponse, clock: Clock): Promise<ApiError> {
  const text = await response.body.text();
  const retryAfterMs = parseRetryAfter(response.retryAfter, clock.now());
  return new ApiError(call, {
    status: response.status,
    statusObject: parseStatus(text),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
}

function describeFailure(error: unknown): FailedAttempt | undefined {
  if (error instanceof ApiError) return { kind: "answer", status: error.status, retryAfterMs: error.retryAfterMs };
  if (error instanceof ConnectionError) return { kind: "connection", maybeSent: error.maybeSent };
  return undefined;
}
