import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";

export interface TlsFiles {
  readonly certPem: string;
  readonly keyPem: string;
}

/** A listener on loopback that can be stopped and started again on the same port. */
export interface HttpsListener {
  readonly port: number;
  /** Closes the port and all connections; answers once both are closed. */
  close(): Promise<void>;
}

/** Longer than any client keeps an idle connection, so that no request meets a connection that is being closed. */
const keepAliveTimeoutMs = 10 * 60_000;

export async function listenHttps(
  tls: TlsFiles,
  port: number,
  handle: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<HttpsListener> {
  const server: Server = createServer(
    {
      cert: tls.certPem,
      key: tls.keyPem,
      keepAlive: true,
      noDelay: true,
      keepAliveTimeout: keepAliveTimeoutMs,
      requestTimeout: 0,
    },
    handle,
  );
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen({ port, host: "127.0.0.1" }, resolve);
  });
  const address = server.address() as AddressInfo; // a TCP listener's address is never a string
  return {
    port: address.port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
