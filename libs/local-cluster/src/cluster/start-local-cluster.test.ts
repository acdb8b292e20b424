import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { parse } from "yaml";
import { sendRequest, type TestApi, createTestApi, watchStream } from "@landscaper/testkit";
import type { LocalCluster } from "./local-cluster.ts";
import { startLocalCluster } from "./start-local-cluster.ts";

const configMaps = "/api/v1/namespaces/default/configmaps";

describe("startLocalCluster", () => {
  let cluster: LocalCluster;
  let api: TestApi;
  beforeEach(async () => {
    cluster = await startLocalCluster();
    api = createTestApi(cluster);
  });
  afterEach(() => cluster.stop());

  it("gives a kubeconfig with everything inline", () => {
    expect(parse(cluster.kubeconfig)).toEqual({
      apiVersion: "v1",
      kind: "Config",
      clusters: [
        {
          name: "local",
          cluster: {
            server: cluster.url,
            "certificate-authority-data": Buffer.from(cluster.caPem).toString("base64"),
          },
        },
      ],
      users: [{ name: "admin", user: { token: cluster.adminToken } }],
      contexts: [{ name: "local", context: { cluster: "local", user: "admin" } }],
      "current-context": "local",
    });
  });

  it("is trusted by its own authority only", async () => {
    expect((await api.get("/version")).code).toBe(200);
    const other = await startLocalCluster();
    try {
      await expect(
        sendRequest(
          { url: cluster.url, caPem: other.caPem, token: cluster.adminToken },
          { method: "GET", path: "/version" },
        ),
      ).rejects.toThrow(/certificate/);
    } finally {
      await other.stop();
    }
  });

  it("answers 401 without a token and with a wrong one, and health checks to everybody", async () => {
    const { url, caPem } = cluster;
    const ask = async (path: string, token?: string) =>
      (await sendRequest({ url, caPem, token }, { method: "GET", path })).code;
    expect([await ask("/api"), await ask("/api", "x"), await ask(configMaps), await ask("/healthz")]).toEqual([
      401, 401, 401, 200,
    ]);
  });

  it("knows the users that it made kubeconfigs for", async () => {
    const config = parse(cluster.kubeconfigFor({ name: "jo", groups: ["devs"] })) as {
      users: [{ user: { token: string } }];
    };
    const server = { url: cluster.url, caPem: cluster.caPem, token: config.users[0].user.token };
    const path = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
    const { body } = await sendRequest(server, { method: "POST", path, body: {} });
    expect(body).toMatchObject({ status: { userInfo: { username: "jo", groups: ["devs", "system:authenticated"] } } });
  });

  it("has the objects of a new cluster", async () => {
    const names = async (path: string) =>
      ((await api.get(path)).body as { items: { metadata: { name: string } }[] }).items.map(
        ({ metadata }) => metadata.name,
      );
    expect(await names("/api/v1/namespaces")).toEqual(["default", "kube-node-lease", "kube-public", "kube-system"]);
    expect(await names("/api/v1/namespaces/default/services")).toEqual(["kubernetes"]);
    expect(await names("/api/v1/namespaces/kube-system/serviceaccounts")).toEqual(["default"]);
    expect(await names("/apis/rbac.authorization.k8s.io/v1/clusterrolebindings")).toEqual([
      "cluster-admin",
      "system:basic-user",
      "system:discovery",
      "system:public-info-viewer",
    ]);
  });

  it("listens where it is told to", async () => {
    const { port } = new URL(cluster.url);
    await expect(startLocalCluster({ port: Number(port) })).rejects.toThrow(/EADDRINUSE/);
  });

  it("keeps its data while it does not listen", async () => {
    await api.post(configMaps, { metadata: { name: "a" } });
    const watch = await watchStream(api.server, `${configMaps}?watch=1`);
    await cluster.pause();
    expect(await watch.over).toBe("cut");
    await expect(api.get("/healthz")).rejects.toThrow(/ECONNREFUSED/);
    await cluster.resume();
    expect((await api.get(`${configMaps}/a`)).code).toBe(200);
  });

  it("cuts watches and goes on to serve new ones", async () => {
    const path = `${configMaps}?watch=1&resourceVersion=100000`;
    const first = await watchStream(api.server, path);
    cluster.cutWatches();
    expect(await first.over).toBe("cut");
    const second = await watchStream(api.server, path);
    await cluster.stop();
    expect(await second.over).toBe("cut");
  });
});

describe("faults", () => {
  let cluster: LocalCluster;
  let api: TestApi;
  beforeEach(async () => {
    cluster = await startLocalCluster();
    api = createTestApi(cluster);
  });
  afterEach(() => cluster.stop());

  it("answer with a status instead of doing the work", async () => {
    cluster.setFault(({ verb, resource }) =>
      verb === "create" && resource === "configmaps" ? { status: 429, retryAfter: 3 } : undefined,
    );
    const { code, body, headers } = await api.post(configMaps, { metadata: { name: "a" } });
    expect([code, headers["retry-after"]]).toEqual([429, "3"]);
    expect(body).toEqual({
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      message: "fault on purpose: 429",
      reason: "TooManyRequests",
      details: { retryAfterSeconds: 3 },
      code: 429,
    });
    expect((await api.get(`${configMaps}/a`)).code).toBe(404);
    cluster.setFault(undefined);
    expect((await api.post(configMaps, { metadata: { name: "a" } })).code).toBe(201);
  });

  it("do the work but lose the answer", async () => {
    cluster.setFault(({ method }) => (method === "POST" ? "drop-answer" : undefined));
    await expect(api.post(configMaps, { metadata: { name: "a" } })).rejects.toThrow(/socket hang up/);
    expect((await api.get(`${configMaps}/a`)).code).toBe(200);
  });

  it("close the connection before anything is done", async () => {
    cluster.setFault(({ method }) => (method === "POST" ? "close" : undefined));
    await expect(api.post(configMaps, { metadata: { name: "a" } })).rejects.toThrow(/socket hang up/);
    expect((await api.get(`${configMaps}/a`)).code).toBe(404);
  });

  it("see what a request is about", async () => {
    const seen: unknown[] = [];
    cluster.setFault((request) => {
      seen.push(request);
      return undefined;
    });
    await api.patch("/apis/apps/v1/namespaces/n/deployments/d/status?x=y", {});
    await api.get("/version");
    expect(seen).toEqual([
      {
        method: "PATCH",
        path: "/apis/apps/v1/namespaces/n/deployments/d/status",
        verb: "patch",
        group: "apps",
        resource: "deployments",
        namespace: "n",
        name: "d",
        subresource: "status",
        userAgent: "local-cluster-tests",
      },
      {
        method: "GET",
        path: "/version",
        verb: "get",
        group: "",
        resource: "",
        namespace: "",
        name: "",
        subresource: "",
        userAgent: "local-cluster-tests",
      },
    ]);
  });

  it("refuse watches, too", async () => {
    cluster.setFault(({ verb }) => (verb === "watch" ? { status: 500 } : undefined));
    expect((await api.get(`${configMaps}?watch=1`)).code).toBe(500);
  });
});
