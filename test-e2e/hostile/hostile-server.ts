import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer as createHttpServer } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import type { AddressInfo, Server, Socket } from "node:net";
import { createServer as createTcpServer } from "node:net";
import { createCertificateAuthority } from "@landscaper/local-cluster";
import { createKubeconfig } from "@landscaper/testkit";

/** What a server does with each request; see answers.ts. What it throws is dropped: the client has left. */
export type Answer = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

/** A server on loopback that does not do what servers do. All its work ends with `stop`, or when the client leaves. */
export interface HostileServer {
  readonly url: string;
  /** PEM of its authority; undefined without TLS. */
  readonly ca: string | undefined;
  /** For a Target; the token is `hostileToken`. */
  readonly kubeconfig: string;
  /** "METHOD path" of every request, oldest first. */
  readonly requests: readonly string[];
  /** Connections that are open now, and the most that were open at a time. */
  readonly connections: number;
  readonly mostConnections: number;
  /** Bytes that it has sent on all connections. */
  readonly sentBytes: number;
  stop(): Promise<void>;
}

export interface HostileServerOptions {
  readonly answer: Answer;
  /** Default: true, as API servers have it. Chart repositories and registries on loopback are asked without. */
  readonly tls?: boolean;
}

/** The bearer token of `HostileServer.kubeconfig`: a server that quotes it tries to get it into a message. */
export const hostileToken = "token-of-the-hostile-target";

interface Listening {
  readonly server: Server;
  readonly scheme: "http" | "https";
  readonly ca: string | undefined;
  readonly requests: readonly string[];
}

async function listen({ server, scheme, ca, requests }: Listening): Promise<HostileServer> {
  const sockets = new Set<Socket>();
  let mostConnections = 0;
  let sentByClosed = 0;
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    mostConnections = Math.max(mostConnections, sockets.size);
    socket.on("error", () => undefined);
    socket.once("close", () => {
      sockets.delete(socket);
      sentByClosed += socket.bytesWritten;
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // a TCP server that listens has one
  const url = `${scheme}://127.0.0.1:${port}`;
  return {
    url,
    ca,
    kubeconfig: createKubeconfig({ name: "hostile", server: url, ca, user: { token: hostileToken } }),
    requests,
    get connections() {
      return sockets.size;
    },
    get mostConnections() {
      return mostConnections;
    },
    get sentBytes() {
      return [...sockets].reduce((sum, { bytesWritten }) => sum + bytesWritten, sentByClosed);
    },
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** A server that answers every request in the same hostile way. */
export async function startHostileServer({ answer, tls = true }: HostileServerOptions): Promise<HostileServer> {
  const requests: string[] = [];
  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    requests.push(`${request.method ?? ""} ${request.url ?? ""}`);
    request.resume();
    try {
      await answer(request, response);
    } catch {
      response.destroy();
    }
  }
  const listener = (request: IncomingMessage, response: ServerResponse): void => void handle(request, response);
  if (!tls) return listen({ server: createHttpServer(listener), scheme: "http", ca: undefined, requests });
  const authority = createCertificateAuthority("landscaper-hostile", Date.now);
  const { cert, key } = authority.issue({ commonName: "hostile", hosts: ["127.0.0.1", "localhost"] });
  const server = createHttpsServer({ cert, key }, listener);
  server.on("tlsClientError", () => undefined);
  return listen({ server, scheme: "https", ca: authority.cert, requests });
}

/** Accepts connections and never sends a byte, not even of a TLS handshake. */
export async function startBlackHole(): Promise<HostileServer> {
  const server = createTcpServer((socket) => socket.resume());
  return listen({ server, scheme: "https", ca: undefined, requests: [] });
}
