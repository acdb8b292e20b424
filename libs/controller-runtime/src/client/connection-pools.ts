// oxlint-disable-next-line typescript/triple-slash-reference -- programs that take this file from source do not see our declarations else
/// <reference path="./undici-modules.d.ts" />
import { createProxyDispatcher, portOf } from "@landscaper/egress";
import type { Dispatcher } from "undici";
import type sendRequest from "undici/lib/api/api-request.js";
import { tlsOptions, type Connection } from "./connection/connection.ts";

/** What the connections of a client are made of. */
export interface PoolOptions {
  readonly connection: Connection;
  /** Of requests; watches have theirs beside. */
  readonly maxConnections: number;
  readonly requestTimeoutMs: number;
  readonly connectTimeoutMs?: number | undefined;
}

/** Shorter than any API server's own limit for idle connections, so that a write never meets one that is just being closed. */
const keepAliveTimeoutMs = 30_000;
const defaultConnectTimeoutMs = 10_000;

export interface Pools {
  readonly requests: Dispatcher;
  readonly watches: Dispatcher;
  /** Called with one of them as `this`. */
  readonly sendOn: typeof sendRequest;
}

/** Loads undici only when it is needed: that takes as long as all else that a service does before it has judged its configuration. */
export async function createPools(options: PoolOptions, origin: string): Promise<Pools> {
  const { connection, requestTimeoutMs, connectTimeoutMs = defaultConnectTimeoutMs } = options;
  const shared = {
    keepAliveTimeout: keepAliveTimeoutMs,
    headersTimeout: requestTimeoutMs,
    bodyTimeout: requestTimeoutMs,
    allowH2: false,
  };
  const { policy } = connection.egress ?? {};
  const restrict = (url: URL) => (policy === undefined ? {} : { lookup: policy.lookupFor(portOf(url)) });
  const server = new URL(origin);
  if (connection.proxyUrl === undefined) {
    policy?.checkUrl(server);
    const { default: Pool } = await import("undici/lib/dispatcher/pool.js");
    const { default: sendOn } = await import("undici/lib/api/api-request.js");
    const connect = { timeout: connectTimeoutMs, ...tlsOptions(connection), ...restrict(server) };
    return {
      requests: new Pool(origin, { ...shared, connect, connections: options.maxConnections }),
      watches: new Pool(origin, { ...shared, connect, connections: null }),
      sendOn,
    };
  }
  const proxy = new URL(connection.proxyUrl);
  policy?.checkUrl(server, "proxied");
  if (connection.isOperatorsProxy !== true) policy?.checkUrl(proxy, "proxy");
  const isJudged = policy !== undefined && connection.isOperatorsProxy !== true;
  const open = async (connections: number | null): Promise<Dispatcher> =>
    await createProxyDispatcher({
      proxy,
      connections,
      connectTimeoutMs,
      settings: shared,
      requestTls: tlsOptions(connection),
      ...(isJudged ? { proxyTls: restrict(proxy) } : {}),
    });
  const { default: sendOn } = await import("undici/lib/api/api-request.js");
  return { requests: await open(options.maxConnections), watches: await open(null), sendOn };
}
