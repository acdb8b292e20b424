// oxlint-disable-next-line typescript/triple-slash-reference -- programs that take this file from source do not see our declarations else
/// <reference path="./undici-modules.d.ts" />
import { LandscaperError } from "@landscaper/api";
import type { Dispatcher } from "undici";
import undiciRequest from "undici/lib/api/api-request.js";
import UndiciPool from "undici/lib/dispatcher/pool.js";
import { ConnectionError } from "./api-error.ts";
import { authorizationHeaders, tlsOptions } from "./connection.ts";
import type { Connection } from "./connection.ts";
import { errorCode, errorMessage } from "../error-members.ts";

export interface TransportRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Without the path prefix of the server's URL. */
  readonly path: string;
  readonly query?: string;
  readonly accept?: string | undefined;
  readonly contentType?: string | undefined;
  readonly body?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** See RequestOptions. */
  readonly beforeSend?: (() => void) | undefined;
  /** An endless answer: it gets a connection of its own and no limit between chunks. */
  readonly isWatch?: boolean;
}

export interface TransportResponse {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly body: ResponseBody;
}

export interface ResponseBody extends AsyncIterable<Uint8Array> {
  text(): Promise<string>;
  destroy(error?: Error): unknown;
}

export interface Transport {
  readonly server: string;
  /** Throws ConnectionError when no answer came, and the signal's reason when that was aborted. */
  send(request: TransportRequest): Promise<TransportResponse>;
  /** Converts what reading a body threw. */
  failure(request: TransportRequest, error: unknown): unknown;
  close(): Promise<void>;
}

export interface TransportOptions {
  readonly connection: Connection;
  readonly userAgent: string;
  /** Connections for requests; watches have theirs beside. */
  readonly maxConnections: number;
  readonly requestTimeoutMs: number;
}

/** Shorter than any API server's own limit for idle connections, so that a write never meets one that is just being closed. */
const keepAliveTimeoutMs = 30_000;
const connectTimeoutMs = 10_000;

/** HTTP/1.1 on pools of kept-alive connections: one for requests, one for watches, which would starve the first. */
export function createTransport(options: TransportOptions): Transport {
  const url = new URL(options.connection.server);
  const prefix = url.pathname.replace(/\/+$/, "");
  let pools: Promise<Pools> | undefined;
  const openPools = (): Promise<Pools> => (pools ??= createPools(options, url.origin));
  const failure = (request: TransportRequest, error: unknown): unknown => {
    if (error instanceof Refusal) return error.reason;
    // There is no token: that says more about it than that no answer came.
    if (error instanceof LandscaperError) return error;
    return request.signal?.aborted === true ? request.signal.reason : toConnectionError(request, url.origin, error);
  };
  const sendWith = async (
    request: TransportRequest,
    headers: Readonly<Record<string, string>>,
  ): Promise<Dispatcher.ResponseData> => {
    request.signal?.throwIfAborted();
    const { requests, watches } = await openPools();
    const dispatcher = guardSending(request.isWatch === true ? watches : requests, request.beforeSend);
    return await undiciRequest.call(dispatcher, {
      origin: url.origin,
      method: request.method,
      path: `${prefix}${request.path}${request.query ?? ""}`,
      headers,
      body: request.body ?? null,
      ...(request.signal === undefined ? {} : { signal: request.signal }),
      ...(request.isWatch === true ? { bodyTimeout: 0 } : {}),
    });
  };
  return {
    server: options.connection.server,
    failure,
    send: async (request) => {
      try {
        const headers = await requestHeaders(request, options);
        const answer = await sendWith(request, headers);
        if (answer.statusCode !== 401 || !dropToken(options.connection, headers)) return toResponse(answer);
        // A request without valid token was not carried out, so also a write may be repeated.
        await answer.body.dump();
        return toResponse(await sendWith(request, await requestHeaders(request, options)));
      } catch (error) {
        throw failure(request, error);
      }
    },
    close: async () => {
      const open = await pools;
      await Promise.all([open?.requests.destroy(), open?.watches.destroy()]);
    },
  };
}

/** Whether another token may be had in place of the one in `headers`. */
function dropToken({ dropToken: drop }: Connection, headers: Readonly<Record<string, string>>): boolean {
  const refused = /^Bearer (.*)$/.exec(headers["authorization"] ?? "")?.[1];
  if (drop === undefined || refused === undefined) return false;
  drop(refused);
  return true;
}

function toResponse({ statusCode, headers, body }: Dispatcher.ResponseData): TransportResponse {
  return { status: statusCode, retryAfter: headerText(headers["retry-after"]), body };
}

/** Carries what `beforeSend` has thrown through undici. */
class Refusal extends Error {
  override readonly name = "Refusal";
  readonly reason: unknown;

  constructor(reason: unknown) {
    super("the request was not sent");
    this.reason = reason;
  }
}

/**
 * Asks at the last moment, when the first bytes are about to leave: a request may have waited for a connection, and the process may
 * have stood still meanwhile.
 */
function guardSending(dispatcher: Dispatcher, beforeSend: (() => void) | undefined): Pick<Dispatcher, "dispatch"> {
  if (beforeSend === undefined) return dispatcher;
  return {
    dispatch: (options, handler) => {
      const start = handler.onRequestStart?.bind(handler);
      // The handler is undici's own and made for this request alone.
      handler.onRequestStart = (controller, context) => {
        try {
          beforeSend();
        } catch (error) {
          throw new Refusal(error);
        }
        start?.(controller, context);
      };
      return dispatcher.dispatch(options, handler);
    },
  };
}

interface Pools {
  readonly requests: Dispatcher;
  readonly watches: Dispatcher;
}

async function createPools(options: TransportOptions, origin: string): Promise<Pools> {
  const { connection, requestTimeoutMs } = options;
  const shared = {
    keepAliveTimeout: keepAliveTimeoutMs,
    headersTimeout: requestTimeoutMs,
    bodyTimeout: requestTimeoutMs,
    allowH2: false,
  };
  if (connection.proxyUrl === undefined) {
    const connect = { timeout: connectTimeoutMs, ...tlsOptions(connection) };
    return {
      requests: new UndiciPool(origin, { ...shared, connect, connections: options.maxConnections }),
      watches: new UndiciPool(origin, { ...shared, connect, connections: null }),
    };
  }
  // A proxy needs more of undici than its parts: here the whole is loaded after all.
  const { ProxyAgent } = await import("undici");
  const proxy = { ...shared, uri: connection.proxyUrl, requestTls: tlsOptions(connection) };
  return {
    requests: new ProxyAgent({ ...proxy, connections: options.maxConnections }),
    watches: new ProxyAgent(proxy),
  };
}

async function requestHeaders(
  request: TransportRequest,
  { connection, userAgent }: TransportOptions,
): Promise<Record<string, string>> {
  return {
    ...(await authorizationHeaders(connection)),
    "user-agent": userAgent,
    accept: request.accept ?? "application/json",
    ...(request.body === undefined ? {} : { "content-type": request.contentType ?? "application/json" }),
  };
}

function headerText(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}

/** Failures of connecting: no byte of the request has left. */
const neverSentCodes = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);

function toConnectionError(request: TransportRequest, server: string, error: unknown): ConnectionError {
  const code = errorCode(error);
  const problem = errorMessage(error);
  const isTlsRefusal = code !== undefined && /^(ERR_TLS_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/.test(code);
  const maybeSent = !(isTlsRefusal || (code !== undefined && neverSentCodes.has(code)));
  return new ConnectionError(request, { server, problem, maybeSent, cause: error });
}
