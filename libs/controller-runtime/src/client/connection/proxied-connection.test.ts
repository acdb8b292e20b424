// The proxy of HTTPS_PROXY. Its name for the API server leads nowhere without it.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { kubeResources } from "@landscaper/api";
import { createEgressPolicy, type EgressPolicy } from "@landscaper/egress";
import { startLocalCluster, type LocalCluster } from "@landscaper/local-cluster";
import { startForwardProxy, type ForwardProxy } from "@landscaper/testkit";
import { resourcePath } from "../resource-path.ts";
import { createTransport } from "../transport.ts";
import type { Connection } from "./connection.ts";

let cluster: LocalCluster;
let proxy: ForwardProxy;
beforeAll(async () => {
  cluster = await startLocalCluster();
});
beforeEach(async () => {
  const { host } = new URL(cluster.url);
  proxy = await startForwardProxy({ routes: { "hub.invalid:6443": host, "10.0.0.1:6443": host } });
});
afterEach(async () => {
  await proxy.stop();
});
afterAll(async () => {
  await cluster.stop();
});

type Environment = Readonly<Record<string, string>>;

/** The status of a list, or the error. */
async function list(connection: Partial<Connection>, environment: Environment): Promise<unknown> {
  const { caPem: ca, adminToken: token } = cluster;
  const server = "https://hub.invalid:6443";
  const transport = createTransport({
    connection: { server, ca, token, tlsServerName: "localhost", ...connection },
    userAgent: "test",
    maxConnections: 1,
    requestTimeoutMs: 5000,
    environment,
  });
  try {
    const path = resourcePath(kubeResources.configMap, { namespace: "default" });
    const { status, body } = await transport.send({ method: "GET", path });
    await body.text();
    return status;
  } catch (error) {
    return error instanceof Error ? error.message : error;
  } finally {
    await transport.close();
  }
}

describe("a client without proxy-url", () => {
  it("connects through the operator's proxy", async () => {
    expect(await list({}, { HTTPS_PROXY: proxy.url })).toBe(200);
    expect(proxy.requests).toEqual(["CONNECT hub.invalid:6443"]);
  });

  it("dials what NO_PROXY names", async () => {
    const message = await list({}, { HTTPS_PROXY: proxy.url, NO_PROXY: ".invalid" });
    expect(message).toContain("(the host hub.invalid does not exist in DNS; correct server of the kubeconfig)");
    expect(proxy.requests).toEqual([]);
  });

  it("prefers the proxy of its kubeconfig", async () => {
    expect(await list({ proxyUrl: proxy.url }, { HTTPS_PROXY: "http://127.0.0.1:1" })).toBe(200);
  });

  it("refuses an HTTPS_PROXY that is no HTTP proxy", async () => {
    await expect(list({}, { HTTPS_PROXY: "ftp://proxy.example" })).rejects.toThrow(
      "environment: HTTPS_PROXY: expected the URL of an HTTP proxy",
    );
  });
});

describe("the rules of tenants behind the operator's proxy", () => {
  const restrict = (settings: Parameters<typeof createEgressPolicy>[0], address?: string): Partial<Connection> => {
    const resolve = async (): Promise<{ address: string; family: number }[]> => {
      if (address === undefined) throw new Error("ENOTFOUND");
      return await Promise.resolve([{ address, family: 4 }]);
    };
    const policy: EgressPolicy = createEgressPolicy(settings, { resolve });
    return { egress: { policy, serverField: "kubeconfig: server", proxyField: "kubeconfig: proxy-url" } };
  };

  it("do not apply to the address of the proxy", async () => {
    expect(await list(restrict({ deny: ["127.0.0.1"] }, "198.51.100.7"), { HTTPS_PROXY: proxy.url })).toBe(200);
  });

  it.each([
    ["its name", { deny: ["hub.invalid"] }, undefined],
    ["an address that its name resolves to here", { deny: ["10.0.0.0/8"] }, "10.0.0.1"],
    ["the address of a metadata service that its name resolves to here", {}, "169.254.169.254"],
    ["a name that no entry permits", { onlyAllowed: true, allow: ["198.51.100.7"] }, "198.51.100.7"],
  ])("deny %s", async (_what, settings, address) => {
    const message = await list(restrict(settings, address), { HTTPS_PROXY: proxy.url });
    expect(message).toMatch(/^kubeconfig: server: host hub\.invalid, port 6443.*denied/);
    expect(proxy.requests).toEqual([]);
  });

  it("judge a literal address", async () => {
    const connection = { ...restrict({ deny: ["10.0.0.0/8"] }, "10.0.0.1"), server: "https://10.0.0.1:6443" };
    expect(await list(connection, { HTTPS_PROXY: proxy.url })).toContain("denied");
    expect(proxy.requests).toEqual([]);
  });

  it("permit a name that only the proxy resolves", async () => {
    expect(await list(restrict({ deny: ["10.0.0.0/8"] }), { HTTPS_PROXY: proxy.url })).toBe(200);
  });
});

describe("what the proxy refuses", () => {
  it("is said with its status, and without its password", async () => {
    const server = "https://other.invalid:6443";
    const message = await list({ server }, { HTTPS_PROXY: proxy.url.replace("//", "//me:correct-horse@") });
    expect(message).toContain(`the proxy ${proxy.url} answered 403: it does not permit this server`);
    expect(message).not.toContain("correct-horse");
  });

  it("includes a missing login", async () => {
    const closed = await startForwardProxy({
      routes: { "hub.invalid:6443": new URL(cluster.url).host },
      login: "me:pw",
    });
    try {
      expect(await list({}, { HTTPS_PROXY: closed.url })).toContain(
        `the proxy ${closed.url} answered 407: it demands another user and password`,
      );
      expect(await list({}, { HTTPS_PROXY: closed.url.replace("//", "//me:pw@") })).toBe(200);
    } finally {
      await closed.stop();
    }
  });

  it("differs from the error of a proxy that does not listen", async () => {
    await proxy.stop();
    const message = await list({}, { HTTPS_PROXY: proxy.url });
    expect(message).toContain(
      "(connection refused; start the proxy, or correct HTTPS_PROXY in the environment of this process",
    );
    expect(message).toContain(`through the proxy ${proxy.url}`);
  });
});
