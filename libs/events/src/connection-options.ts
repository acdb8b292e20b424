import type { ConnectionOptions } from "@nats-io/transport-node";
import { parseServers } from "./nats-servers.ts";

/** Returns how to connect to the servers of NATS_URL. The client library ignores scheme and credentials of its addresses. */
export function connectionOptions(servers: string): ConnectionOptions & { readonly servers: string[] } {
  const { addresses, user, password, demandsTls } = parseServers(servers);
  return {
    servers: addresses,
    // A server that died without closing the connection is noticed within twice this time.
    pingInterval: 10_000,
    maxPingOut: 2,
    // Errors name the step that failed. Without this, the library makes a stack trace for each request, in case it fails.
    noAsyncTraces: true,
    ...(user === undefined ? {} : { user, pass: password ?? "" }),
    ...(demandsTls ? { tls: {} } : {}),
  };
}
