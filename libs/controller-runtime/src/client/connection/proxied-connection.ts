import { environmentProxy, type ProxyEnvironment } from "@landscaper/egress";
import type { Connection } from "./connection.ts";

/** The connection by the proxy that the environment names for its server, unless it has one of its own. Throws LandscaperError for a variable that is no URL. */
export function withEnvironmentProxy(connection: Connection, environment: ProxyEnvironment): Connection {
  if (connection.proxyUrl !== undefined) return connection;
  const proxy = environmentProxy(new URL(connection.server), environment);
  return proxy === undefined ? connection : { ...connection, proxyUrl: proxy.href, isOperatorsProxy: true };
}
