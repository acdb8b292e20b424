import type { buildConnector, Dispatcher, Pool } from "undici";

export interface ProxyConnections {
  /** With user and password if it demands them. */
  readonly proxy: URL;
  /** To one server at a time; null: no limit. */
  readonly connections: number | null;
  /** Until the proxy has connected, TLS to the server included. */
  readonly connectTimeoutMs: number;
  /** Of the connections to servers. */
  readonly settings: Pool.Options;
  /** TLS with servers. */
  readonly requestTls: buildConnector.BuildOptions;
  /** TLS with the proxy, and its lookup. */
  readonly proxyTls?: buildConnector.BuildOptions | undefined;
}

/** HTTP through a proxy. Loads undici only when it is needed. */
export async function createProxyDispatcher(options: ProxyConnections): Promise<Dispatcher> {
  const { proxy, connections, connectTimeoutMs, settings, requestTls, proxyTls } = options;
  const { Pool: PoolClass, ProxyAgent: ProxyAgentClass } = await import("undici");
  return new ProxyAgentClass({
    ...settings,
    uri: proxy.href,
    connections,
    connectTimeout: connectTimeoutMs,
    requestTls,
    // undici speaks TLS to a SOCKS proxy as soon as there are options for it.
    ...(proxyTls === undefined ? {} : { proxyTls }),
    // undici passes its settings neither to the connections that ask the proxy for a tunnel nor to those of plain http.
    clientFactory: (url, given) => new PoolClass(url, { ...given, headersTimeout: connectTimeoutMs }),
    factory: (url, given) => new PoolClass(url, Object.assign({ ...settings, connections }, given)),
  });
}
