import { once } from "node:events";
import { createServer } from "node:http";
import { connect } from "node:net";
import type { AddressInfo } from "node:net";
import { kubeResources } from "@landscaper/api";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { startLocalCluster } from "@landscaper/local-cluster";
import type { LocalCluster } from "@landscaper/local-cluster";
import { createClient } from "../create-client.ts";
import type { Connection } from "./connection.ts";

let cluster: LocalCluster;
beforeAll(async () => {
  cluster = await startLocalCluster();
});
afterAll(() => cluster.stop());

async function listWith(connection: Partial<Connection>): Promise<unknown> {
  const client = createClient({
    connection: { server: cluster.url, token: cluster.adminToken, ...connection },
    random: () => 0,
  });
  try {
    const metadata = { namespace: "default", generateName: "a-" };
    const object = { apiVersion: "v1", kind: "ConfigMap", metadata };
    return (await client.create(kubeResources.configMap, object, { dryRun: true })).kind;
  } catch (error) {
    return error;
  } finally {
    await client.close();
  }
}

describe("a connection over HTTPS", () => {
  it("trusts the given authority", async () => {
    expect(await listWith({ ca: cluster.caPem })).toBe("ConfigMap");
  });

  it("sends nothing to a server whose certificate it does not trust", async () => {
    expect(await listWith({})).toMatchObject({ name: "ConnectionError", maybeSent: false });
  });

  it("sends nothing to a server of another name", async () => {
    const error = await listWith({ ca: cluster.caPem, tlsServerName: "other.example" });
    expect(error).toMatchObject({ name: "ConnectionError", maybeSent: false });
    expect((error as Error).message).toContain("other.example");
  });

  it("trusts blindly only when told so", async () => {
    expect(await listWith({ insecureSkipTlsVerify: true })).toBe("ConfigMap");
  });

  it("goes through a proxy, which learns the server's address and nothing else", async () => {
    const asked: string[] = [];
    const proxy = createServer();
    proxy.on("connect", (request, socket, head) => {
      asked.push(request.url ?? "");
      const { hostname, port } = new URL(`http://${request.url}`);
      const upstream = connect(Number(port), hostname, () => {
        socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
        upstream.write(head);
        upstream.pipe(socket).pipe(upstream);
      });
      for (const side of [socket, upstream]) side.on("error", () => {});
    });
    proxy.listen(0, "127.0.0.1");
    await once(proxy, "listening");
    const proxyUrl = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    expect(await listWith({ ca: cluster.caPem, proxyUrl })).toBe("ConfigMap");
    expect(asked).toEqual([new URL(cluster.url).host]);
    proxy.close();
  });

  it("is refused with a wrong token", async () => {
    expect(await listWith({ ca: cluster.caPem, token: "wrong" })).toMatchObject({ name: "ApiError", status: 401 });
  });
});
