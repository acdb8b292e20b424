import { kubeResources } from "@landscaper/api";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { startLocalCluster } from "@landscaper/local-cluster";
import type { LocalCluster } from "@landscaper/local-cluster";
import { createClient } from "../create-client.ts";
import { startForwardProxy } from "@landscaper/testkit";
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
    const { host } = new URL(cluster.url);
    const proxy = await startForwardProxy({ routes: { [host]: host } });
    expect(await listWith({ ca: cluster.caPem, proxyUrl: proxy.url })).toBe("ConfigMap");
    expect(proxy.requests).toEqual([`CONNECT ${host}`]);
    await proxy.stop();
  });

  it("is refused with a wrong token", async () => {
    expect(await listWith({ ca: cluster.caPem, token: "wrong" })).toMatchObject({ name: "ApiError", status: 401 });
  });
});
