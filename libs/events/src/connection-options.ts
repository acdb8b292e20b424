import { isIP } from "node:net";
import { checkServerIdentity, type PeerCertificate } from "node:tls";
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
    ...(demandsTls ? { tls: tlsOptions(addresses) } : {}),
  };
}

/** For an IP address, the client library gives no name to Node.js. Node.js would expect a certificate for "localhost". */
function tlsOptions(addresses: readonly string[]): NonNullable<ConnectionOptions["tls"]> {
  const hosts = addresses.map((address) => address.replace(/:\d+$/, "").replace(/^\[(.*)\]$/, "$1"));
  const unnamed = hosts.filter((host) => isIP(host) > 0 || host === "localhost");
  const checkIdentity = (name: string, certificate: PeerCertificate): Error | undefined => {
    const names = name === "localhost" && unnamed.length > 0 ? unnamed : [name];
    const failures = names.map((each) => checkServerIdentity(each, certificate));
    return failures.includes(undefined) ? undefined : failures[0];
  };
  // The library hands members that it does not know on to Node.js.
  const options = { handshakeFirst: false, checkServerIdentity: checkIdentity };
  return options;
}
