import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { bearerToken } from "../auth/tokens.ts";
import type { User } from "../auth/user.ts";
import { anonymousUser } from "../auth/user.ts";
import type { Answer, StreamAnswer } from "../http/answer.ts";
import { statusAnswer } from "../http/answer.ts";
import type { ApiRequest } from "../http/api-request.ts";
import { readBody, writeAnswer, writeStream } from "../http/connection-handler.ts";
import type { RequestInfo } from "../http/request-info.ts";
import { parseRequestInfo } from "../http/request-info.ts";
import { StatusError, failure } from "../status/status-error.ts";
import type { Fault, FaultRule } from "./faults.ts";
import { unauthorized } from "./unauthorized.ts";

/** As the real server. */
const maxBodyBytes = 3 * 1024 * 1024;

export interface ListenerOptions {
  /** Throws, or rejects with, StatusError. */
  handle(request: ApiRequest): Answer | StreamAnswer | Promise<Answer | StreamAnswer>;
  authenticate(token: string): User | undefined;
  /** Throws StatusError. */
  impersonate(user: User, headers: IncomingHttpHeaders): User;
  findFault(): FaultRule | undefined;
  /** Running watches, by the function that cuts them. */
  readonly streams: Set<() => void>;
}

/** Turns HTTP requests into API requests and writes the answers. */
export function createRequestListener(
  options: ListenerOptions,
): (request: IncomingMessage, response: ServerResponse) => void {
  return (request, response) => {
    serve(options, request, response).catch((error: unknown) => {
      // The client went away while it was sending, or there is a bug: both end this connection only.
      if (!response.headersSent && !response.destroyed) writeAnswer(response, answerError(error));
    });
  };
}

async function serve(options: ListenerOptions, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? "/", "https://localhost");
  const method = request.method ?? "GET";
  const info = parseRequestInfo(method, url.pathname, url.searchParams);
  const body = await readBody(request, maxBodyBytes);
  const fault = findFault(options, request, { info, path: url.pathname });
  if (fault === "close") {
    response.destroy();
    return;
  }
  if (typeof fault === "object") {
    writeAnswer(response, statusAnswer(faultStatus(fault)));
    return;
  }
  const answered = respond(options, request, { url, method, info, body });
  // Most answers are there at once, and written in the same step.
  const answer = answered instanceof Promise ? await answered.catch(answerError) : answered;
  if (fault === "drop-answer") {
    response.destroy();
    return;
  }
  if (!("start" in answer)) {
    writeAnswer(response, answer);
    return;
  }
  const cut = writeStream(response, answer);
  options.streams.add(cut);
  response.once("close", () => options.streams.delete(cut));
}

interface Received {
  readonly url: URL;
  readonly method: string;
  readonly info: RequestInfo;
  /** Undefined: too large. */
  readonly body: Buffer | undefined;
}

function respond(
  options: ListenerOptions,
  request: IncomingMessage,
  received: Received,
): Answer | StreamAnswer | Promise<Answer | StreamAnswer> {
  try {
    const { url, method, info, body } = received;
    if (body === undefined) throw tooLarge();
    const { headers } = request;
    const { accept, authorization } = headers;
    return options.handle({
      method,
      path: url.pathname,
      query: url.searchParams,
      info,
      user: options.impersonate(identify(options, authorization), headers),
      accept,
      userAgent: headers["user-agent"],
      contentType: (request.headers["content-type"] ?? "").split(";")[0]?.trim().toLowerCase() ?? "",
      body,
    });
  } catch (error) {
    return answerError(error);
  }
}

function identify(options: ListenerOptions, authorization: string | undefined): User {
  if (authorization === undefined) return anonymousUser;
  const token = bearerToken(authorization);
  const user = token === undefined ? undefined : options.authenticate(token);
  if (user === undefined) throw unauthorized();
  return user;
}

function tooLarge(): StatusError {
  return new StatusError({
    code: 413,
    reason: "RequestEntityTooLarge",
    message: `Request entity too large: limit is ${maxBodyBytes}`,
    details: {},
  });
}

function answerError(error: unknown): Answer {
  if (error instanceof StatusError) return { ...statusAnswer(error.status), warnings: error.warnings };
  const message = error instanceof Error ? error.message : String(error);
  return statusAnswer(failure({ code: 500, reason: "InternalError", message: `Internal error occurred: ${message}` }));
}

function findFault(
  options: ListenerOptions,
  request: IncomingMessage,
  { info, path }: { readonly info: RequestInfo; readonly path: string },
): Fault | undefined {
  const rule = options.findFault();
  if (rule === undefined) return undefined;
  const place =
    info.type === "resource"
      ? info
      : { verb: info.verb, group: "", resource: "", namespace: "", name: "", subresource: "" };
  const { verb, group, resource, namespace, name, subresource } = place;
  const userAgent = request.headers["user-agent"] ?? "";
  const method = request.method ?? "GET";
  return rule({ method, path, verb, group, resource, namespace, name, subresource, userAgent });
}

const faultReasons: Readonly<Record<number, string>> = {
  409: "Conflict",
  429: "TooManyRequests",
  500: "InternalError",
  503: "ServiceUnavailable",
  504: "Timeout",
};

function faultStatus(fault: Exclude<Fault, string>): ReturnType<typeof failure> {
  const reason = faultReasons[fault.status];
  return failure({
    code: fault.status,
    message: `fault on purpose: ${fault.status}`,
    ...(reason === undefined ? {} : { reason }),
    ...(fault.retryAfter === undefined ? {} : { details: { retryAfterSeconds: fault.retryAfter } }),
  });
}
