import { createServer, request as sendRequest, type IncomingMessage, type ServerResponse } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import type { Duplex } from "node:stream";

export interface ForwardProxyOptions {
  /** Where it listens. Default: 127.0.0.1. */
  readonly address?: string;
  /** HOST:PORT of what clients ask for, and where it is. The proxy answers 403 for everything else. */
  readonly routes: Readonly<Record<string, string>>;
  /** USER:PASSWORD that clients must send; 407 otherwise. */
  readonly login?: string;
}

/** An HTTP proxy as companies have them at the edge of a network. */
export interface ForwardProxy {
  readonly url: string;
  readonly port: number;
  /** What clients have asked for, in this order: "CONNECT hub.example:443" or "GET http://registry.example/v2/". */
  readonly requests: readonly string[];
  stop(): Promise<void>;
}

const established = "HTTP/1.1 200 Connection established\r\n\r\n";

/** Starts a proxy that forwards requests to the servers of its routes, and opens tunnels to them. */
export async function startForwardProxy(options: ForwardProxyOptions): Promise<ForwardProxy> {
  const { address = "127.0.0.1", routes, login } = options;
  const requests: string[] = [];
  const sockets = new Set<Duplex>();
  const keep = (socket: Duplex): void => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.once("close", () => sockets.delete(socket));
  };
  /** Where it leads; or the status that refuses it. */
  const judge = (request: IncomingMessage, place: string): string | number => {
    requests.push(`${request.method} ${request.url}`);
    const wanted = login === undefined ? undefined : `Basic ${Buffer.from(login).toString("base64")}`;
    if (wanted !== undefined && request.headers["proxy-authorization"] !== wanted) return 407;
    return routes[place] ?? 403;
  };
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? "", "http://proxy.invalid");
    const to = judge(request, `${url.hostname}:${url.port || "80"}`);
    if (typeof to === "number") {
      response.writeHead(to).end();
      return;
    }
    const { "proxy-authorization": _login, ...headers } = request.headers;
    const path = `${url.pathname}${url.search}`;
    const forwarded = sendRequest(`http://${to}`, { method: request.method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    forwarded.on("error", () => response.destroy());
    request.pipe(forwarded);
  });
  server.on("connection", keep);
  server.on("connect", (request: IncomingMessage, client: Socket, head: Buffer) => {
    const to = judge(request, request.url ?? "");
    if (typeof to === "number") {
      client.end(`HTTP/1.1 ${to} Refused\r\ncontent-length: 0\r\n\r\n`);
      return;
    }
    const { hostname, port } = new URL(`http://${to}`);
    const upstream = connect(Number(port), hostname.replace(/^\[(.*)\]$/, "$1"), () => {
      client.write(established);
      upstream.write(head);
      upstream.pipe(client).pipe(upstream);
    });
    keep(upstream);
    upstream.once("close", () => client.destroy());
    client.once("close", () => upstream.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, address, resolve));
  const { port } = server.address() as AddressInfo; // it listens on TCP
  return {
    url: `http://${address}:${port}`,
    port,
    requests,
    stop: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
