// Proxies that do nothing from some point on. Only a limit ends the requests.
import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import { afterEach, describe, expect, it } from "@jest/globals";
import { kubeResources } from "@landscaper/api";
import { createEgressPolicy } from "@landscaper/egress";
import { createTransport } from "../transport.ts";
import { resourcePath } from "../resource-path.ts";

let proxy: Server;
const sockets = new Set<Socket>();
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  proxy.close();
});

/** A proxy that answers what it gets first, if at all; the port that it listens on. */
async function startProxy(answer?: string): Promise<number> {
  proxy = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.once("data", () => {
      if (answer !== undefined) socket.write(answer);
    });
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  const address = proxy.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

const connectTimeoutMs = 50;
const requestTimeoutMs = 70;
const path = resourcePath(kubeResources.configMap, { namespace: "default" });

/** What a list by the proxy ends with: the code of the failure and its message. */
async function listBy(proxyUrl: string, server: string): Promise<readonly unknown[]> {
  const resolve = async () => await Promise.resolve([{ address: "127.0.0.1", family: 4 }]);
  const egress = { policy: createEgressPolicy({}, { resolve }), serverField: "server", proxyField: "proxy-url" };
  const connection = { server, proxyUrl, egress };
  const options = { connection, userAgent: "test", maxConnections: 1, connectTimeoutMs, requestTimeoutMs };
  const transport = createTransport(options);
  try {
    return [(await transport.send({ method: "GET", path })).status];
  } catch (error) {
    const { message, cause } = error as Error & { cause: { code?: string } };
    return [cause.code, message.slice(message.indexOf(": ") + 2)];
  } finally {
    await transport.close();
  }
}

describe("the limit for connecting holds for a proxy", () => {
  it("that speaks no TLS", async () => {
    const port = await startProxy();
    const [code, message] = await listBy(`https://proxy.example:${port}`, "https://api.example");
    expect(code).toBe("UND_ERR_CONNECT_TIMEOUT");
    expect(message).toContain("(the connection was not opened in time; check the proxy");
  });

  it("that opens no tunnel", async () => {
    const port = await startProxy();
    const [code] = await listBy(`http://127.0.0.1:${port}`, "https://api.example");
    expect(code).toBe("UND_ERR_HEADERS_TIMEOUT");
  });

  it("behind which the server speaks no TLS", async () => {
    const port = await startProxy("HTTP/1.1 200 Connection established\r\n\r\n");
    const [code, message] = await listBy(`http://127.0.0.1:${port}`, "https://api.example");
    expect(code).toBe("UND_ERR_CONNECT_TIMEOUT");
    expect(message).toContain("(the connection was not opened in time; check the proxy");
  });
});

it("the limit for the first byte holds for plain http by a proxy", async () => {
  const port = await startProxy();
  const [code] = await listBy(`http://127.0.0.1:${port}`, "http://api.example");
  expect(code).toBe("UND_ERR_HEADERS_TIMEOUT");
});
