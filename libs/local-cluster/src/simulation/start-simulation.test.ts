import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import type { LocalCluster } from "../cluster/local-cluster.ts";
import { startLocalCluster } from "../cluster/start-local-cluster.ts";
import { fieldAt, listAt, numberAt, stringAt } from "../objects/json.ts";
import { createFakeClock, type FakeClock, type Reply, type TestApi, createTestApi } from "@landscaper/testkit";
import { simulationPrefix } from "./simulation-options.ts";

const pods = "/api/v1/namespaces/default/pods";
const deployments = "/apis/apps/v1/namespaces/default/deployments";
const annotated = (script: Readonly<Record<string, string>>) => ({
  annotations: Object.fromEntries(Object.entries(script).map(([key, value]) => [`${simulationPrefix}${key}`, value])),
});
const containers = [{ name: "main", image: "main:1" }];
const template = { metadata: { labels: { app: "a" } }, spec: { containers } };
const selector = { matchLabels: { app: "a" } };

const isGone = ({ code }: Reply): boolean => code === 404;
const phase = ({ body }: Reply): string => stringAt(body, "status", "phase");
const condition = ({ body }: Reply, type: string): unknown =>
  listAt(body, "status", "conditions").find((candidate) => stringAt(candidate, "type") === type);
const isReady = (reply: Reply): boolean => stringAt(condition(reply, "Ready"), "status") === "True";

describe("simulated workloads", () => {
  let clock: FakeClock;
  let cluster: LocalCluster;
  let api: TestApi;
  beforeEach(async () => {
    clock = createFakeClock();
    cluster = await startLocalCluster({ clock, simulateWorkloads: true });
    api = createTestApi(cluster);
  });
  afterEach(() => cluster.stop());

  const createPod = async (name: string, script: Readonly<Record<string, string>>, spec: object = {}) =>
    api.post(pods, { metadata: { name, ...annotated(script) }, spec: { containers, ...spec } });
  const isTaken = (reply: Reply): boolean => fieldAt(reply.body, "status", "startTime") !== undefined;

  it("keep to the cluster's clock", async () => {
    await createPod("p", { "start-delay": "10s", "ready-delay": "5s" });
    await api.until(`${pods}/p`, isTaken);
    await clock.advance(9999);
    expect(phase(await api.get(`${pods}/p`))).toBe("Pending");
    await clock.advance(1);
    expect(phase(await api.get(`${pods}/p`))).toBe("Running");
    await clock.advance(4999);
    expect(isReady(await api.get(`${pods}/p`))).toBe(false);
    await clock.advance(1);
    const ready = await api.get(`${pods}/p`);
    expect(condition(ready, "Ready")).toEqual({
      type: "Ready",
      observedGeneration: 1,
      status: "True",
      lastProbeTime: null,
      lastTransitionTime: "2026-01-01T00:00:15Z",
    });
  });

  it("do not start if an annotation is for a container that the pod does not have", async () => {
    await createPod("p", { "exit-code.mian": "1" });
    await api.until(`${pods}/p`, isTaken);
    await clock.advance(50);
    const [status] = listAt((await api.get(`${pods}/p`)).body, "status", "containerStatuses");
    expect(fieldAt(status, "state", "waiting")).toEqual({
      reason: "CreateContainerConfigError",
      message: `annotation ${simulationPrefix}exit-code.mian: expected a container of the pod, found "mian". Use exit-code.main`,
    });
  });

  it("wait for a node until their annotation is gone, or forever with a selector that fits none", async () => {
    await createPod("full", { unschedulable: "true" });
    await createPod("picky", {}, { nodeSelector: { disk: "fast" } });
    const scheduled = async (name: string): Promise<unknown> =>
      condition(
        await api.until(`${pods}/${name}`, (reply) => condition(reply, "PodScheduled") !== undefined),
        "PodScheduled",
      );
    expect(await scheduled("full")).toMatchObject({
      status: "False",
      reason: "Unschedulable",
      message: "0/1 nodes are available: 1 Insufficient cpu.",
    });
    expect(await scheduled("picky")).toMatchObject({
      message: "0/1 nodes are available: 1 node(s) didn't match Pod's node affinity/selector.",
    });
    await api.patch(`${pods}/full`, { metadata: { annotations: null } });
    await api.until(`${pods}/full`, isTaken);
    expect(stringAt((await api.get(`${pods}/full`)).body, "spec", "nodeName")).toBe("simulated-node");
  });

  it("wait while they have scheduling gates", async () => {
    await createPod("gated", {}, { schedulingGates: [{ name: "a.example/wait" }] });
    await createPod("after", {});
    await api.until(`${pods}/after`, isTaken);
    expect(fieldAt((await api.get(`${pods}/gated`)).body, "spec", "nodeName")).toBeUndefined();
    await api.patch(`${pods}/gated`, { spec: { schedulingGates: null } });
    await api.until(`${pods}/gated`, isTaken);
  });

  it("do what the annotations of their owner say, also when those change", async () => {
    const metadata = { name: "web", ...annotated({ "never-ready": "true" }) };
    await api.post(deployments, { metadata, spec: { replicas: 1, selector, template } });
    const list = await api.until(pods, ({ body }) => isTaken({ body: listAt(body, "items")[0] } as Reply));
    const pod = `${pods}/${stringAt(listAt(list.body, "items")[0], "metadata", "name")}`;
    await clock.advance(50);
    await clock.advance(60_000);
    expect(phase(await api.get(pod))).toBe("Running");
    expect(isReady(await api.get(pod))).toBe(false);
    await api.patch(`${deployments}/web`, { metadata: { annotations: null } });
    await api.until(pod, async (reply) => {
      await clock.advance(50);
      return isReady(reply);
    });
    await api.until(`${deployments}/web`, ({ body }) => numberAt(body, "status", "availableReplicas") === 1);
  });

  it("take their time to stop, but not more than the grace period", async () => {
    await createPod("slow", { "stop-delay": "20s" });
    await createPod("cut", { "stop-delay": "20s" }, { terminationGracePeriodSeconds: 5 });
    await createPod("killed", { "stop-delay": "20s" });
    for (const name of ["slow", "cut", "killed"]) await api.until(`${pods}/${name}`, isTaken);
    await clock.advance(50);
    for (const name of ["slow", "cut"]) await api.delete(`${pods}/${name}`);
    await api.delete(`${pods}/killed`, { gracePeriodSeconds: 0 });
    expect((await api.get(`${pods}/killed`)).code).toBe(404);
    await api.get(pods);
    await clock.advance(5000);
    expect((await api.get(`${pods}/cut`)).code).toBe(404);
    expect((await api.get(`${pods}/slow`)).code).toBe(200);
    await clock.advance(15_000);
    expect((await api.get(`${pods}/slow`)).code).toBe(404);
  });

  it("go with their namespace", async () => {
    const namespace = "/api/v1/namespaces/shop";
    await api.post("/api/v1/namespaces", { metadata: { name: "shop" } });
    await api.post("/apis/apps/v1/namespaces/shop/deployments", {
      metadata: { name: "web" },
      spec: { replicas: 2, selector, template },
    });
    await api.post("/apis/batch/v1/namespaces/shop/jobs", {
      metadata: { name: "job" },
      spec: { template: { ...template, spec: { containers, restartPolicy: "Never" } } },
    });
    const taken = ({ body }: Reply): boolean =>
      listAt(body, "items").filter((pod) => fieldAt(pod, "spec", "nodeName") !== undefined).length === 3;
    await api.until(`${namespace}/pods`, taken);
    await api.delete(namespace);
    await api.until(namespace, async (reply) => {
      await clock.advance(100);
      return isGone(reply);
    });
  });

  it("say which policy keeps their pods away, and try again", async () => {
    const policies = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies";
    await api.post(policies, {
      metadata: { name: "no-pods" },
      spec: {
        matchConstraints: {
          resourceRules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["pods"] }],
        },
        validations: [{ expression: "false", message: "no pods today" }],
      },
    });
    const bindings = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings";
    const spec = { policyName: "no-pods", validationActions: ["Deny"] };
    await api.post(bindings, { metadata: { name: "no-pods" }, spec });
    await api.post(deployments, { metadata: { name: "web" }, spec: { replicas: 1, selector, template } });
    const failed = await api.until(`${deployments}/web`, (reply) => condition(reply, "ReplicaFailure") !== undefined);
    expect(condition(failed, "ReplicaFailure")).toMatchObject({
      status: "True",
      reason: "FailedCreate",
      message: expect.stringMatching(/^pods "web-\w+-\w+" is forbidden: ValidatingAdmissionPolicy .* no pods today$/),
    });
    await api.delete(`${bindings}/no-pods`);
    await api.until(`${deployments}/web`, async (reply) => {
      await clock.advance(100);
      return numberAt(reply.body, "status", "availableReplicas") === 1;
    });
    expect(condition(await api.get(`${deployments}/web`), "ReplicaFailure")).toBeUndefined();
  });

  it("have volumes that come and go with their claims", async () => {
    const claims = "/api/v1/namespaces/default/persistentvolumeclaims";
    const resources = { requests: { storage: "1Gi" } };
    await api.post(claims, { metadata: { name: "data" }, spec: { accessModes: ["ReadWriteOnce"], resources } });
    const { body } = await api.until(`${claims}/data`, (reply) => phase(reply) === "Bound");
    const volume = `/api/v1/persistentvolumes/${stringAt(body, "spec", "volumeName")}`;
    expect(phase(await api.get(volume))).toBe("Bound");
    await api.delete(`${claims}/data`);
    await api.until(volume, isGone);
  });

  it("leave load balancers without an address when none is given", async () => {
    const services = "/api/v1/namespaces/default/services";
    await api.post(services, { metadata: { name: "web" }, spec: { type: "LoadBalancer", ports: [{ port: 80 }] } });
    await api.get(services);
    expect(fieldAt((await api.get(`${services}/web`)).body, "status")).toEqual({ loadBalancer: {} });
  });

  it("have logs in discovery", async () => {
    const names = listAt((await api.get("/api/v1")).body, "resources").map((resource) => stringAt(resource, "name"));
    expect(names).toContain("pods/log");
  });
});

describe("a cluster without simulation", () => {
  it("has no node, no controllers and no logs", async () => {
    const cluster = await startLocalCluster();
    const api = createTestApi(cluster);
    await api.post(deployments, { metadata: { name: "web" }, spec: { replicas: 1, selector, template } });
    await api.post(pods, { metadata: { name: "p" }, spec: { containers } });
    expect(listAt((await api.get("/api/v1/nodes")).body, "items")).toEqual([]);
    expect(listAt((await api.get("/apis/apps/v1/replicasets")).body, "items")).toEqual([]);
    expect(fieldAt((await api.get(`${pods}/p`)).body, "spec", "nodeName")).toBeUndefined();
    expect((await api.get(`${pods}/p/log`)).code).toBe(404);
    await cluster.stop();
  });
});
