import { redactQuoted, Sensitive } from "@landscaper/api";
import type { StatusObject } from "./client-interface.ts";

/** What was asked, for messages: never holds a query or a body. */
export interface RequestLine {
  readonly method: string;
  readonly path: string;
}

/**
 * The API server answered with a status >= 400. Values that the server quotes ("Invalid value: ...") are masked from the start:
 * what is not in the error cannot get into a status, an event or a log.
 */
export class ApiError extends Error {
  override readonly name = "ApiError";
  /** HTTP status, e.g. 409. */
  readonly status: number;
  /** Kubernetes reason, e.g. "AlreadyExists"; "" when the answer had none. */
  readonly reason: string;
  readonly method: string;
  readonly path: string;
  readonly statusObject: StatusObject;
  /** The message with the values that it quotes, for who knows which of them are secret. */
  readonly said: Sensitive<string> | undefined;
  /** What the server asked us to wait before the next try. */
  readonly retryAfterMs: number | undefined;

  constructor(request: RequestLine, answer: { status: number; statusObject: StatusObject; retryAfterMs?: number }) {
    const statusObject = redactStatus(answer.statusObject);
    const text = statusObject.message ?? statusObject.reason ?? "no message";
    super(`${request.method} ${request.path}: ${answer.status} ${text}`);
    this.status = answer.status;
    this.reason = statusObject.reason ?? "";
    this.method = request.method;
    this.path = request.path;
    this.statusObject = statusObject;
    const { message } = answer.statusObject;
    this.said = message === undefined ? undefined : new Sensitive(message);
    this.retryAfterMs = answer.retryAfterMs;
  }
}

function redactStatus(status: StatusObject): StatusObject {
  const { message, details } = status;
  const causes = details?.causes?.map((cause) =>
    cause.message === undefined ? cause : { ...cause, message: redactQuoted(cause.message) },
  );
  return {
    ...status,
    ...(message === undefined ? {} : { message: redactQuoted(message) }),
    ...(causes === undefined ? {} : { details: { ...details, causes } }),
  };
}

/** No (complete) answer came. */
export class ConnectionError extends Error {
  override readonly name: string = "ConnectionError";
  /** Whether the server may have acted on the request: false only if it surely never left. */
  readonly maybeSent: boolean;
  /** URL of the server that did not answer. */
  readonly server: string;
  /** Why no answer came. */
  readonly problem: string;

  constructor(request: RequestLine, options: { server: string; problem: string; maybeSent: boolean; cause?: unknown }) {
    super(`${request.method} ${request.path}: no answer from ${options.server} (${options.problem})`, {
      cause: options.cause,
    });
    this.maybeSent = options.maybeSent;
    this.server = options.server;
    this.problem = options.problem;
  }
}

/** A write that has failed so may have been done all the same: no answer came, or one that does not say. */
export function isDoubtful(error: unknown): boolean {
  return error instanceof ConnectionError ? error.maybeSent : error instanceof ApiError && error.status >= 500;
}

export function isNotFound(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status === 404;
}

/** The server does not serve the path: it knows no such version or kind. A 404 for an object names the object that is missing. */
export function isNotServed(error: unknown): error is ApiError {
  return isNotFound(error) && error.statusObject.details?.name === undefined;
}

/** A guarded write lost its race (409 Conflict); 409 AlreadyExists is none. */
export function isConflict(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status === 409 && error.reason !== "AlreadyExists";
}

export function isAlreadyExists(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status === 409 && error.reason === "AlreadyExists";
}

/** The resource version to read or watch from has been compacted (410). */
export function isGone(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status === 410;
}

/** The object was refused by its schema or an admission rule (422 Invalid). */
export function isInvalid(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status === 422;
}

/** The object is larger than a request to the API server or to the store behind it may be; trying again cannot help. */
export function isTooLarge(error: unknown): error is ApiError {
  if (!(error instanceof ApiError)) return false;
  return error.status === 413 || /etcdserver: request is too large|message larger than max/.test(error.message);
}

export function isForbidden(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status === 403;
}

/** Whether a ResourceQuota of the namespace is used up. A retry can succeed: another object may be deleted, or the quota raised. */
export function isQuotaExceeded(error: unknown): boolean {
  return isForbidden(error) && error.message.includes("exceeded quota: ");
}
