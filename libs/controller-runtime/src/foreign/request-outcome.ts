import { LandscaperError } from "@landscaper/api";
import { ApiError, ConnectionError } from "../client/api-error.ts";
import { errorCode } from "../error-members.ts";
import type { RequestOutcome } from "./circuit-breaker.ts";

/** The time limit of a whole request has passed. */
export class RequestTimeoutError extends ConnectionError {
  override readonly name = "RequestTimeoutError";
}

/** The server is not asked before a given time, because it did not answer several times in a row. */
export class CircuitOpenError extends ConnectionError {
  override readonly name = "CircuitOpenError";
  /** Until the next try. */
  readonly retryAfterMs: number;

  constructor(
    request: { readonly method: string; readonly path: string },
    options: {
      readonly server: string;
      readonly failures: number;
      /** Of the last request without an answer. */
      readonly lastProblem: string | undefined;
      readonly retryAfterMs: number;
      /** The time of day, in ms since the epoch. */
      readonly nowMs: number;
    },
  ) {
    const { server, failures, lastProblem, retryAfterMs, nowMs } = options;
    const time = `${new Date(nowMs + retryAfterMs).toISOString().slice(0, 19)}Z`;
    const last = lastProblem === undefined ? "" : `; last failure: ${lastProblem}`;
    const problem = `the server did not answer ${failures} times in a row; the next try is at ${time}${last}`;
    super(request, { server, problem, maybeSent: false });
    this.retryAfterMs = retryAfterMs;
  }
}

/** Codes of Node.js and undici for a server that is not there, or that has broken off. Refused certificates are answers. */
const unansweredCodes: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EPIPE",
  "ETIMEDOUT",
  "UND_ERR_BODY_TIMEOUT",
  "UND_ERR_CONNECT_TIMEOUT",
  "UND_ERR_HEADERS_TIMEOUT",
  "UND_ERR_SOCKET",
]);

/** What a failure says about the server. */
export function outcomeOf(error: unknown): RequestOutcome {
  if (error instanceof ApiError) return "answered";
  if (error instanceof LandscaperError) return error.reason === "ContentTooLarge" ? "answered" : "unknown";
  if (error instanceof RequestTimeoutError) return "unanswered";
  if (!(error instanceof ConnectionError)) return "unknown";
  return unansweredCodes.has(errorCode(error.cause) ?? "") ? "unanswered" : "unknown";
}
