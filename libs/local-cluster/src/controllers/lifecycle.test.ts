import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { LocalCluster } from "../cluster/local-cluster.ts";
import { startLocalCluster } from "../cluster/start-local-cluster.ts";
import { fieldAt, listAt, stringAt } from "../objects/json.ts";
import { sendRequest, type TestApi, createTestApi } from "@landscaper/testkit";

// Namespaces, service accounts, volumes and pods from creation to their end; what the real server answers on the way is in ../parity.
describe("lifecycles", () => {
  let cluster: LocalCluster;
  let api: TestApi;
  const isGone = ({ code }: { code: number }) => code === 404;
  const namespaces = "/api/v1/namespaces";
  beforeAll(async () => {
    cluster = await startLocalCluster();
    api = createTestApi(cluster);
  });
  afterAll(() => cluster.stop());

  it("a namespace takes everything with it", async () => {
    await api.post(namespaces, { metadata: { name: "full" } });
    await api.post(`${namespaces}/full/configmaps`, { metadata: { name: "a" } });
    await api.post(`${namespaces}/full/secrets`, { metadata: { name: "a" } });
    await api.post("/apis/apps/v1/namespaces/full/deployments", {
      metadata: { name: "d" },
      spec: {
        selector: { matchLabels: { a: "b" } },
        template: { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "c", image: "x" }] } },
      },
    });
    await api.delete(`${namespaces}/full`);
    await api.until(`${namespaces}/full`, isGone);
    expect((await api.get(`${namespaces}/full/configmaps/a`)).code).toBe(404);
    expect((await api.get("/apis/apps/v1/namespaces/full/deployments/d")).code).toBe(404);
  });

  it("a namespace that comes again is empty", async () => {
    await api.post(namespaces, { metadata: { name: "again" } });
    await api.post(`${namespaces}/again/configmaps`, { metadata: { name: "a" } });
    await api.delete(`${namespaces}/again`);
    await api.until(`${namespaces}/again`, isGone);
    await api.post(namespaces, { metadata: { name: "again" } });
    expect((await api.get(`${namespaces}/again/configmaps/a`)).code).toBe(404);
  });

  it("a default service account comes back when it is deleted", async () => {
    await api.post(namespaces, { metadata: { name: "accounts" } });
    const path = `${namespaces}/accounts/serviceaccounts/default`;
    const first = await api.until(path, ({ code }) => code === 200);
    await api.delete(path);
    const second = await api.until(path, ({ code }) => code === 200);
    expect(stringAt(second.body, "metadata", "uid")).not.toBe(stringAt(first.body, "metadata", "uid"));
  });

  it("a token secret is filled, lets its holder in, and goes with its account", async () => {
    const accounts = `${namespaces}/default/serviceaccounts`;
    const secret = `${namespaces}/default/secrets/bot-token`;
    await api.post(accounts, { metadata: { name: "bot" } });
    await api.post(`${namespaces}/default/secrets`, {
      metadata: { name: "bot-token", annotations: { "kubernetes.io/service-account.name": "bot" } },
      type: "kubernetes.io/service-account-token",
    });
    const { body } = await api.until(secret, (reply) => fieldAt(reply.body, "data", "token") !== undefined);
    const decoded = (key: string) => Buffer.from(stringAt(body, "data", key), "base64").toString();
    expect([decoded("namespace"), decoded("ca.crt")]).toEqual(["default", cluster.caPem]);
    const server = { url: cluster.url, caPem: cluster.caPem, token: decoded("token") };
    const review = () =>
      sendRequest(server, { method: "POST", path: "/apis/authentication.k8s.io/v1/selfsubjectreviews", body: {} });
    expect((await review()).body).toMatchObject({
      status: { userInfo: { username: "system:serviceaccount:default:bot" } },
    });
    await api.delete(`${accounts}/bot`);
    await api.until(secret, isGone);
    expect((await review()).code).toBe(401);
  });

  it("a requested token lets its holder in until its pod is gone", async () => {
    const pods = `${namespaces}/default/pods`;
    const pod = await api.post(pods, { metadata: { name: "p" }, spec: { containers: [{ name: "c", image: "x:1" }] } });
    const { body } = await api.post(`${namespaces}/default/serviceaccounts/default/token`, {
      spec: { boundObjectRef: { kind: "Pod", name: "p", uid: stringAt(pod.body, "metadata", "uid") } },
    });
    const server = { url: cluster.url, caPem: cluster.caPem, token: stringAt(body, "status", "token") };
    expect((await sendRequest(server, { method: "GET", path: pods })).code).toBe(200);
    await api.delete(`${pods}/p`);
    expect((await sendRequest(server, { method: "GET", path: pods })).code).toBe(401);
  });

  const badBindings: readonly (readonly [string, unknown, number, string])[] = [
    ["another kind", { kind: "Node", name: "n" }, 400, 'cannot bind token for serviceaccount "default" to kind "Node"'],
    ["a pod that is not there", { kind: "Pod", name: "none" }, 404, 'pods "none" not found'],
  ];
  for (const [what, boundObjectRef, code, message] of badBindings) {
    it(`a token is not bound to ${what}`, async () => {
      const path = `${namespaces}/default/serviceaccounts/default/token`;
      const reply = await api.post(path, { spec: { boundObjectRef } });
      expect([reply.code, stringAt(reply.body, "message")]).toEqual([code, message]);
    });
  }

  it("a pod on a node stays for its grace period until the kubelet removes it", async () => {
    const path = `${namespaces}/default/pods/placed`;
    await api.post(`${namespaces}/default/pods`, {
      metadata: { name: "placed" },
      spec: { nodeName: "n", containers: [{ name: "c", image: "x:1" }] },
    });
    const { body } = await api.delete(path);
    expect(fieldAt(body, "metadata")).toMatchObject({ deletionGracePeriodSeconds: 30, generation: 2 });
    expect((await api.get(path)).code).toBe(200);
    expect(fieldAt((await api.delete(path, { gracePeriodSeconds: 5 })).body, "metadata")).toMatchObject({
      deletionGracePeriodSeconds: 5,
    });
    await api.delete(path, { gracePeriodSeconds: 0 });
    expect((await api.get(path)).code).toBe(404);
  });

  it("a pod with scheduling gates says so, and loses them only", async () => {
    const path = `${namespaces}/default/pods/gated`;
    const gates = (...names: readonly string[]) => ({ schedulingGates: names.map((name) => ({ name })) });
    const { body } = await api.post(`${namespaces}/default/pods`, {
      metadata: { name: "gated" },
      spec: { ...gates("a.example/one", "a.example/two"), containers: [{ name: "c", image: "x:1" }] },
    });
    expect(listAt(body, "status", "conditions")).toEqual([
      {
        type: "PodScheduled",
        status: "False",
        lastProbeTime: null,
        lastTransitionTime: null,
        reason: "SchedulingGated",
        message: "Scheduling is blocked due to non-empty scheduling gates",
      },
    ]);
    const less = await api.patch(path, { spec: gates("a.example/two") });
    expect([less.code, listAt(less.body, "spec", "schedulingGates")]).toEqual([200, [{ name: "a.example/two" }]]);
    const other = await api.patch(path, { spec: gates("a.example/two", "a.example/new") });
    expect([other.code, stringAt(other.body, "message")]).toEqual([
      422,
      `Pod "gated" is invalid: spec.schedulingGates[1].name: Forbidden: only deletion is allowed, but found new scheduling gate 'a.example/new'`,
    ]);
  });

  it("a claim stays while a pod uses it", async () => {
    const claim = `${namespaces}/default/persistentvolumeclaims/data`;
    await api.post(`${namespaces}/default/persistentvolumeclaims`, {
      metadata: { name: "data" },
      spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
    });
    await api.post(`${namespaces}/default/pods`, {
      metadata: { name: "user" },
      spec: {
        containers: [{ name: "c", image: "x:1" }],
        volumes: [{ name: "v", persistentVolumeClaim: { claimName: "data" } }],
      },
    });
    const { body } = await api.delete(claim);
    expect(fieldAt(body, "metadata", "finalizers")).toEqual(["kubernetes.io/pvc-protection"]);
    expect((await api.get(claim)).code).toBe(200);
    await api.delete(`${namespaces}/default/pods/user`);
    await api.until(claim, isGone);
  });

  it("services get addresses and node ports of their own", async () => {
    const create = async (name: string, spec: unknown) =>
      fieldAt((await api.post(`${namespaces}/default/services`, { metadata: { name }, spec })).body, "spec");
    const ports = [{ port: 80 }];
    const [one, two] = [
      await create("one", { type: "NodePort", ports }),
      await create("two", { type: "NodePort", ports }),
    ];
    expect(stringAt(one, "clusterIP")).toMatch(/^10\.96\./);
    expect(stringAt(one, "clusterIP")).not.toBe(stringAt(two, "clusterIP"));
    expect(fieldAt(one, "ports")).not.toEqual(fieldAt(two, "ports"));
    expect(await create("none", { clusterIP: "None", ports })).toMatchObject({
      clusterIP: "None",
      clusterIPs: ["None"],
    });
  });
});
