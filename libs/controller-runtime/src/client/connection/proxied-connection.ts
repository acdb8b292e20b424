import { environmentProxy, type ProxyEnvironment } from "@landscaper/egress";
import type { Connection } from "./connection.ts";

/**
 * Returns the connection through the operator's proxy, which the environment names for its server, unless the connection has a proxy of its own. Throws
 * LandscaperError for a variable that is not the URL of an HTTP proxy.
 */
export function withEnvironmentProxy(connection: Connection, environment: ProxyEnvironment): Connection {
  if (connection.proxyUrl !== undefined) return connection;
  const proxy = environmentProxy(new URL(connection.server), environment);
  return proxy === undefined ? connection : { ...connection, proxyUrl: proxy.href, isOperatorsProxy: true };
}
