// oxlint-disable-next-line typescript/triple-slash-reference -- programs that take this file from source do not see our declarations else
/// <reference path="./undici-modules.d.ts" />
import { LandscaperError } from "@landscaper/api";
import {
  describeProxyFailure,
  describeRequestFailure,
  EgressError,
  isCertificateRefused,
  isRefusedByProxy,
  maskConnectionIn,
  maskedCause,
  type ConnectFields,
  type ProxyEnvironment,
  type TlsFields,
} from "@landscaper/egress";
import type { Dispatcher } from "undici";
import { ConnectionError } from "./api-error.ts";
import { authorizationHeaders, connectFieldsOf, secretsOf, tlsFieldsOf } from "./connection/connection.ts";
import type { Connection } from "./connection/connection.ts";
import { withEnvironmentProxy } from "./connection/proxied-connection.ts";
import { UnreadableAnswer } from "./read-answer.ts";
import { createPools, type Pools } from "./connection-pools.ts";
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
  /** The time of day of the server. */
  readonly date: string | undefined;
  /** Headers `Warning`. */
  readonly warnings: readonly string[];
  /** How the body is packed; no request asks for that. */
  readonly encoding: string | undefined;
  readonly body: ResponseBody;
}

export interface ResponseBody extends AsyncIterable<Uint8Array> {
  text(): Promise<string>;
  destroy(error?: Error): unknown;
}

export interface Transport {
  /** Without user, password and query: it stands in messages. */
  readonly server: string;
  /** Throws ConnectionError when no answer came, and the signal's reason when that was aborted. */
  send(request: TransportRequest): Promise<TransportResponse>;
  /** Converts what reading a body threw. */
  failure(request: TransportRequest, error: unknown): unknown;
  /** The value without the secrets of the connection, in whatever form the server has sent them back. */
  mask<T>(value: T): T;
  close(): Promise<void>;
}

export interface TransportOptions {
  readonly connection: Connection;
  readonly userAgent: string;
  /** Connections for requests; watches have theirs beside. */
  readonly maxConnections: number;
  readonly requestTimeoutMs: number;
  /** Until a connection stands, TLS included. */
  readonly connectTimeoutMs?: number | undefined;
  /** With the variables of proxies. Default: that of the process. */
  readonly environment?: ProxyEnvironment | undefined;
}

/** Tokens change; a server may still send back the one before. */
const maxKnownTokens = 4;

/**
 * HTTP/1.1 on pools of kept-alive connections: one for requests, one for watches, which would starve the first. Throws LandscaperError if the environment
 * names something else than an HTTP proxy.
 */
export function createTransport(given: TransportOptions): Transport {
  const options = { ...given, connection: withEnvironmentProxy(given.connection, given.environment ?? process.env) };
  const url = new URL(options.connection.server);
  const prefix = url.pathname.replace(/\/+$/, "");
  const tokens = new Set<string>();
  const mask = <T>(value: T): T => maskConnectionIn(value, secretsOf(options.connection, tokens));
  const authorize = async (request: TransportRequest): Promise<Record<string, string>> => {
    const headers = await requestHeaders(request, options);
    const token = bearerToken(headers);
    if (token !== undefined && !tokens.has(token)) {
      tokens.add(token);
      for (const oldest of [...tokens].slice(0, -maxKnownTokens)) tokens.delete(oldest);
    }
    return headers;
  };
  let pools: Promise<Pools> | undefined;
  const openPools = (): Promise<Pools> => (pools ??= createPools(options, url.origin));
  const failure = (request: TransportRequest, error: unknown): unknown => {
    if (error instanceof Refusal) return error.reason;
    if (error instanceof EgressError) return atField(options.connection, error);
    // There is no token: that says more about it than that no answer came.
    if (error instanceof LandscaperError) return error;
    if (request.signal?.aborted === true) return request.signal.reason;
    const { connection } = options;
    const fields = { tls: tlsFieldsOf(connection), connect: connectFieldsOf(connection) };
    return toConnectionError(request, { server: url.origin, proxy: connection.proxyUrl, mask, error, fields });
  };
  const sendWith = async (
    request: TransportRequest,
    headers: Readonly<Record<string, string>>,
  ): Promise<Dispatcher.ResponseData> => {
    await judgeAddresses(options.connection, url);
    request.signal?.throwIfAborted();
    const { requests, watches, sendOn } = await openPools();
    const dispatcher = guardSending(request.isWatch === true ? watches : requests, request.beforeSend);
    return await sendOn.call(dispatcher, {
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
    server: `${url.origin}${prefix}`,
    failure,
    mask,
    send: async (request) => {
      try {
        const headers = await authorize(request);
        const answer = await sendWith(request, headers);
        if (answer.statusCode !== 401 || !dropToken(options.connection, headers)) return toResponse(answer);
        // A request without valid token was not carried out, so also a write may be repeated.
        await answer.body.dump();
        return toResponse(await sendWith(request, await authorize(request)));
      } catch (error) {
        throw failure(request, error);
      }
    },
    close: async () => {
      // Pools that were refused are not there to be closed.
      const open = await pools?.catch(() => undefined);
      await Promise.all([open?.requests.destroy(), open?.watches.destroy()]);
    },
  };
}

/** Behind the operator's proxy, nothing else judges the addresses of a server. */
async function judgeAddresses({ egress, isOperatorsProxy }: Connection, server: URL): Promise<void> {
  if (isOperatorsProxy === true) await egress?.policy.checkAddresses(server);
}

/** Whether another token may be had in place of the one in `headers`. */
function dropToken({ dropToken: drop }: Connection, headers: Readonly<Record<string, string>>): boolean {
  const refused = bearerToken(headers);
  if (drop === undefined || refused === undefined) return false;
  drop(refused);
  return true;
}

function bearerToken(headers: Readonly<Record<string, string>>): string | undefined {
  return /^Bearer (.*)$/.exec(headers["authorization"] ?? "")?.[1];
}

function toResponse({ statusCode, headers, body }: Dispatcher.ResponseData): TransportResponse {
  return {
    status: statusCode,
    retryAfter: headerText(headers["retry-after"]),
    date: headerText(headers["date"]),
    warnings: [headers["warning"] ?? []].flat(),
    encoding: headerText(headers["content-encoding"]),
    body,
  };
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

/** Names the field whose value is denied: the proxy's if there is one and the connection goes to it. */
function atField({ egress, proxyUrl }: Connection, error: EgressError): EgressError {
  if (egress === undefined) return error;
  const proxyHost = proxyUrl === undefined ? undefined : URL.parse(proxyUrl)?.hostname;
  const isOfProxy = proxyHost !== undefined && error.host === proxyHost.replace(/^\[(.*)\]$/, "$1");
  return error.within(isOfProxy ? egress.proxyField : egress.serverField);
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
  "UND_ERR_PRX_TLS",
]);

interface FailureContext {
  readonly server: string;
  readonly proxy: string | undefined;
  readonly mask: Transport["mask"];
  readonly error: unknown;
  readonly fields: { readonly tls: TlsFields; readonly connect: ConnectFields };
}

function toConnectionError(
  request: TransportRequest,
  { server, proxy, mask, error, fields }: FailureContext,
): ConnectionError {
  const code = errorCode(error);
  const text = errorMessage(error);
  const reason = error instanceof UnreadableAnswer ? text : describeRequestFailure(error, fields);
  const problem = mask(describeProxyFailure(reason, proxy));
  const isNeverSent = code !== undefined && neverSentCodes.has(code);
  const maybeSent = !(isNeverSent || isCertificateRefused(code) || isRefusedByProxy(text));
  // The error itself may hold what the server has sent.
  const cause = maskedCause({ message: problem, code }, (text) => text);
  return new ConnectionError(request, { server, problem, maybeSent, cause });
}
