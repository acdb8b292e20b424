import { parseJson } from "@landscaper/json";
import type { ApiRequestSample } from "../observability/metrics-interface.ts";
import { ownTurn } from "../breather.ts";
import { ApiError, ConnectionError } from "./api-error.ts";
import type { Random } from "../backoff.ts";
import type { Clock } from "../controller-interface.ts";
import type { RequestOutcome } from "../foreign/circuit-breaker.ts";
import type { ForeignServer, ForeignServerLimits, SizeLimit } from "../foreign/foreign-servers.ts";
import { errorCode } from "../error-members.ts";
import { CircuitOpenError, outcomeOf, RequestTimeoutError } from "../foreign/request-outcome.ts";
import { noteWarnings } from "./field-validation.ts";
import { maxValues, readAnswer, readErrorText, UnreadableAnswer, unreadableAnswer } from "./read-answer.ts";
import { parseStatus } from "./parse-answer.ts";
import { decideRetry, parseRetryAfter } from "./retry-policy.ts";
import type { FailedAttempt } from "./retry-policy.ts";
import type { ResponseBody, Transport, TransportRequest, TransportResponse } from "./transport.ts";

/** One call: the request plus its labels for metrics. */
export interface Call extends TransportRequest {
  readonly verb: string;
  readonly resource: string;
  /** Default: parsed JSON. */
  readonly answer?: "json" | "text" | undefined;
  /** Only for foreign servers. Default: the limit of an object. */
  readonly limit?: SizeLimit | undefined;
  /** Only for foreign servers: told how large the answer was. */
  readonly onSize?: ((bytes: number) => void) | undefined;
}

export interface RequestRunnerOptions {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly random: Random;
  readonly onRequest: (sample: Omit<ApiRequestSample, "host">) => void;
  /** For a server that somebody else runs. */
  readonly foreign?: ForeignServer | undefined;
}

export interface RequestRunner {
  /** The parsed JSON of an answer < 400, or its text. */
  run(call: Call): Promise<unknown>;
  /** The open answer of a watch; not retried, as its caller has to decide from where. */
  open(call: Call): Promise<TransportResponse>;
  /** Of a foreign server. */
  readonly limits: ForeignServerLimits | undefined;
  readonly server: string;
}

/** An attempt that took longer (ms) is not repeated by the request to a foreign server, but by whoever made the request. */
const patienceMs = 2_000;

/** Sends, measures, turns error answers into ApiError, and retries by the rules of decideRetry. */
export function createRequestRunner(options: RequestRunnerOptions): RequestRunner {
  const { clock, random, foreign } = options;
  return {
    limits: foreign?.limits,
    server: options.transport.server,
    open: (call) => attempt(call, options, (response) => Promise.resolve(response)),
    run: async (call) => {
      const read = (response: TransportResponse, sent: Call): Promise<unknown> => readResult(response, sent, options);
      for (let attempts = 1; ; attempts++) {
        const startedMs = clock.elapsed();
        try {
          return await attempt(call, options, read);
        } catch (error) {
          const failure = describeFailure(error);
          if (failure === undefined) throw error;
          if (foreign !== undefined && (clock.elapsed() - startedMs > patienceMs || isUnreadable(error))) throw error;
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
  options: RequestRunnerOptions,
  read: (response: TransportResponse, sent: Call) => Promise<T>,
): Promise<T> {
  const { transport, clock, onRequest } = options;
  const passage = passBreaker(call, options);
  const startedMs = clock.elapsed();
  const { verb, method, resource } = call;
  const sample = (code: string): void =>
    onRequest({ verb, method, resource, code, durationMs: clock.elapsed() - startedMs });
  const { sent, end } = limitTime(call, options);
  /** What `send` throws is converted already. */
  const reading = <R>(result: Promise<R>): Promise<R> =>
    result.catch((error: unknown) => {
      throw transport.failure(sent, error);
    });
  try {
    const response = await transport.send(sent);
    const { status } = response;
    if (status >= 400) throw await reading(readApiError(call, response, transport));
    if (options.foreign !== undefined) noteWarnings(response.warnings);
    const result = await reading(read(response, sent));
    sample(String(status));
    passage.settle("answered");
    return result;
  } catch (error) {
    sample(error instanceof ApiError ? String(error.status) : "none");
    passage.settle(outcomeOf(error), error instanceof ConnectionError ? error.problem : undefined);
    throw error;
  } finally {
    end();
  }
}

/** Throws CircuitOpenError while the server is not asked. */
function passBreaker(
  call: Call,
  { foreign, clock, transport }: RequestRunnerOptions,
): { settle(outcome: RequestOutcome, problem?: string): void } {
  if (foreign === undefined) return { settle: () => {} };
  const { breaker, onOpening } = foreign;
  const elapsedMs = clock.elapsed();
  const admission = breaker.admit(elapsedMs);
  if (admission.type === "refuse") {
    const retryAfterMs = Math.max(0, admission.nextTryMs - elapsedMs);
    const { server } = transport;
    const { failures, problem: lastProblem } = admission;
    throw new CircuitOpenError(call, { server, failures, lastProblem, retryAfterMs, nowMs: clock.now() });
  }
  return {
    settle: (outcome, problem) => {
      if (breaker.settle({ ...admission, problem }, outcome, clock.elapsed())) onOpening();
    },
  };
}

/** The call with a signal that is aborted with RequestTimeoutError when it takes too long. */
function limitTime(
  call: Call,
  { foreign, clock, transport }: RequestRunnerOptions,
): { readonly sent: Call; readonly end: () => void } {
  const { totalTimeoutMs = 0 } = foreign?.limits ?? {};
  if (totalTimeoutMs === 0 || call.isWatch === true) return { sent: call, end: () => {} };
  const timeout = new AbortController();
  const problem = `no complete answer within ${totalTimeoutMs / 1000} s`;
  const end = clock.schedule(totalTimeoutMs, () =>
    timeout.abort(new RequestTimeoutError(call, { server: transport.server, problem, maybeSent: true })),
  );
  const signal = call.signal === undefined ? timeout.signal : AbortSignal.any([call.signal, timeout.signal]);
  return { sent: { ...call, signal }, end };
}

/** Of characters: less is parsed in a millisecond or two. */
const largeText = 256 * 1024;

async function readResult(
  response: TransportResponse,
  call: Call,
  { foreign, transport }: RequestRunnerOptions,
): Promise<unknown> {
  const text = await readText(response, call, { foreign, server: transport.server });
  // Several that have come together would be parsed in one turn, with what follows from each.
  if (text.length > largeText) await ownTurn();
  return call.answer === "text" ? text : parseAnswerText(text);
}

async function readText(
  { body, encoding = "identity" }: TransportResponse,
  call: Call,
  { foreign, server }: { readonly foreign: ForeignServer | undefined; readonly server: string },
): Promise<string> {
  if (encoding !== "identity") return await refusePacked(body);
  if (foreign === undefined) return await body.text();
  const { limits, largeAnswers } = foreign;
  const { signal, limit = limits.object } = call;
  const place = `${call.method} ${call.path}`;
  const maxParsed = call.verb === "list" ? maxValues.page : maxValues.object;
  const values = call.answer === "text" ? undefined : maxParsed;
  const { text, bytes } = await readAnswer(body, { ...limit, place, server, largeAnswers, values, signal });
  call.onSize?.(bytes);
  return text;
}

async function refusePacked(body: ResponseBody): Promise<never> {
  // Leaving the loop destroys the body.
  for await (const part of body) if (part.length > 0) break;
  throw new UnreadableAnswer("the answer is packed, which the request did not ask for");
}

function parseAnswerText(text: string): unknown {
  if (text === "") return undefined;
  try {
    return parseJson(text);
  } catch {
    // The parser's own message would quote the answer.
    throw new UnreadableAnswer("the answer is not JSON");
  }
}

/** A server that sends this once sends it again. */
function isUnreadable(error: unknown): boolean {
  return error instanceof ConnectionError && errorCode(error.cause) === unreadableAnswer;
}

async function readApiError(
  call: Call,
  response: TransportResponse,
  transport: RequestRunnerOptions["transport"],
): Promise<ApiError> {
  const text = await readErrorText(response.body);
  const retryAfterMs = parseRetryAfter(response.retryAfter, response.date);
  return new ApiError(call, {
    status: response.status,
    statusObject: transport.mask(parseStatus(text, response.status)),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
}

function describeFailure(error: unknown): FailedAttempt | undefined {
  if (error instanceof ApiError) return { kind: "answer", status: error.status, retryAfterMs: error.retryAfterMs };
  // Neither is over in the moments between two attempts.
  if (error instanceof CircuitOpenError || error instanceof RequestTimeoutError) return undefined;
  if (error instanceof ConnectionError) return { kind: "connection", maybeSent: error.maybeSent };
  return undefined;
}
