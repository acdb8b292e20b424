// What ends each wait of a manifest item: news from the target, while its clock hardly moves.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { kubeResources, resources, type DeployItem, type ResourceType, type UnstructuredObject } from "@landscaper/api";
import { createFakeClock, waitFor, type FakeClock } from "@landscaper/controller-runtime/testing";
import {
  createDeployerFixture,
  type DeployerFixture,
  type DeployerScope,
  type StartedDeployer,
} from "@landscaper/deployer/testing";
import { createManifestDeployer } from "./index.ts";
import { configMap, specOf } from "./testing.ts";

/** Of an item whose watches stand, with `random` at 0. */
const restMs = 25_000;

let fixture: DeployerFixture;
let scope: DeployerScope;
let running: StartedDeployer;
let clock: FakeClock;
let n = "";
let scopes = 0;

beforeAll(async () => {
  fixture = await createDeployerFixture();
}, 60_000);
afterAll(() => fixture.stop());
beforeEach(async () => {
  scope = await fixture.scope(`waiting-${++scopes}`);
  n = scope.namespace;
  await scope.createTarget();
  clock = createFakeClock(Date.now());
  running = fixture.start({ deployer: createManifestDeployer("v0.0.0-test"), clock, random: () => 0 });
});
afterEach(async () => {
  await running.stop();
  // The next deployer is not to have them.
  if ((await fixture.hubClient.find(resources.deployItem, { namespace: n, name: "item" })) !== undefined)
    await scope.interrupt("item");
});

/** The item says what it waits for, all of that is watched, and nothing but news or a long time brings the next pass. */
async function untilResting(message: string): Promise<void> {
  await waitFor(async () => {
    await clock.advance(50);
    const { status } = await scope.get("item");
    const isTold = status?.conditions?.some((condition) => condition.message === `waiting for ${message}`) === true;
    const pauses = clock.dueTimes.map((dueMs) => dueMs - clock.now());
    return isTold && running.watches.size > 0 && pauses.some((ms) => ms <= restMs && ms > restMs - 2000);
  });
}

/** The item as it is when its job is over, which takes much less than a rest. */
async function untilEnd(): Promise<DeployItem> {
  const began = clock.now();
  const ended = await waitFor(async () => {
    await clock.advance(20);
    const item = await scope.get("item");
    return item.status?.jobIDFinished === item.status?.jobID ? item : undefined;
  });
  expect(clock.now() - began).toBeLessThan(restMs / 2);
  return ended;
}

const labels = { app: "web" };
const podSpec = { containers: [{ name: "main", image: "registry.example.test/main:1" }] };
const replicaSets: ResourceType = {
  group: "apps",
  version: "v1",
  kind: "ReplicaSet",
  plural: "replicasets",
  namespaced: true,
};
const pods: ResourceType = { group: "", version: "v1", kind: "Pod", plural: "pods", namespaced: true };

function replicaSet(): UnstructuredObject {
  return {
    apiVersion: "apps/v1",
    kind: "ReplicaSet",
    metadata: { name: "web", namespace: n },
    spec: { replicas: 1, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: podSpec } },
  };
}

async function setStatus(type: ResourceType, name: string, status: object): Promise<void> {
  const patch = { type: "merge", body: { status }, subresource: "status" } as const;
  await fixture.targetClient.patch(type, { namespace: n, name }, patch);
}

async function edit(name: string, body: object): Promise<void> {
  await fixture.targetClient.patch(kubeResources.configMap, { namespace: n, name }, { type: "merge", body });
}

const requirements = [{ jsonPath: ".data.ready", operator: "==", values: [{ value: "yes" }] }];

describe("an item goes on at once", () => {
  it("when a workload becomes ready", async () => {
    await scope.create({ name: "item", spec: specOf([replicaSet()]) });
    await untilResting(`readiness of ReplicaSet ${n}/web: its controller has not seen the last change yet`);
    await setStatus(replicaSets, "web", { observedGeneration: 1, replicas: 1, readyReplicas: 1 });
    expect((await untilEnd()).status?.phase).toBe("Succeeded");
  });

  it("when a pod is stuck, although its workload says nothing", async () => {
    await scope.create({ name: "item", spec: specOf([replicaSet()], { readinessChecks: { level: "kstatus" } }) });
    await untilResting(`readiness of ReplicaSet ${n}/web: its controller has not seen the last change yet`);
    await setStatus(replicaSets, "web", { observedGeneration: 1, replicas: 1 });
    await untilResting(`readiness of ReplicaSet ${n}/web: 0 of 1 replicas available`);
    const { metadata } = await fixture.targetClient.get(replicaSets, { namespace: n, name: "web" });
    const owner = { apiVersion: "apps/v1", kind: "ReplicaSet", name: "web", uid: metadata.uid ?? "", controller: true };
    const pod = {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "web-1", namespace: n, labels, ownerReferences: [owner] },
    };
    await fixture.targetClient.create(pods, { ...pod, spec: podSpec } as UnstructuredObject);
    const state = { waiting: { reason: "ImagePullBackOff", message: "Back-off pulling image" } };
    await setStatus(pods, "web-1", { phase: "Pending", containerStatuses: [{ name: "main", state }] });
    expect((await untilEnd()).status).toMatchObject({
      phase: "Failed",
      lastError: {
        reason: "ResourceFailed",
        message: expect.stringContaining("Pod web-1, container main: ImagePullBackOff"),
      },
    });
  });

  it("when a custom check is met by an object that got the labels", async () => {
    const labelSelector = { apiVersion: "v1", kind: "ConfigMap", matchLabels: { part: n } };
    const readinessChecks = { custom: [{ name: "part", labelSelector, requirements }] };
    await scope.create({ name: "item", spec: specOf([], { readinessChecks }) });
    await untilResting("readiness of check part: no ConfigMap has its labels");
    await fixture.targetClient.create(kubeResources.configMap, configMap(`${n}/part`, { ready: "yes" }));
    await edit("part", { metadata: { labels: { part: n } } });
    expect((await untilEnd()).status?.phase).toBe("Succeeded");
  });

  it("when a custom check is met by an object that lost them", async () => {
    const labelSelector = { apiVersion: "v1", kind: "ConfigMap", matchLabels: { part: n } };
    const readinessChecks = { custom: [{ name: "part", labelSelector, requirements }] };
    const withLabels = { labels: { part: n } };
    await fixture.targetClient.create(kubeResources.configMap, configMap(`${n}/ready`, { ready: "yes" }, withLabels));
    await fixture.targetClient.create(kubeResources.configMap, configMap(`${n}/not`, {}, withLabels));
    await scope.create({ name: "item", spec: specOf([], { readinessChecks }) });
    await untilResting(`readiness of check part: ConfigMap ${n}/not: .data.ready does not fulfil "=="`);
    await edit("not", { metadata: { labels: { part: null } } });
    expect((await untilEnd()).status?.phase).toBe("Succeeded");
  });

  it("when there is something to export", async () => {
    const fromResource = { apiVersion: "v1", kind: "ConfigMap", name: "a", namespace: n };
    const exports = { exports: [{ key: "x", jsonPath: ".data.later", fromResource }] };
    await scope.create({ name: "item", spec: specOf([configMap(`${n}/a`)], { exports }) });
    await untilResting(`export of key x: ConfigMap ${n}/a has no .data.later`);
    await edit("a", { data: { later: "1" } });
    expect((await untilEnd()).status).toMatchObject({ phase: "Succeeded", exportRef: { namespace: n } });
  });

  it("when what it deletes is gone", async () => {
    await scope.create({
      name: "item",
      spec: specOf([configMap(`${n}/held`, {}, { finalizers: ["example.org/hold"] })]),
    });
    await untilEnd();
    await scope.remove("item");
    await untilResting(`the deletion of ConfigMap ${n}/held`);
    await edit("held", { metadata: { finalizers: null } });
    const began = clock.now();
    await waitFor(async () => {
      await clock.advance(20);
      return (await fixture.hubClient.list(resources.deployItem, { namespace: n })).items.length === 0;
    });
    expect(clock.now() - began).toBeLessThan(restMs / 2);
  });

  it("when an object that somebody has removed has to be made again", async () => {
    const readinessChecks = { custom: [{ name: "a", resourceSelector: [reference("a")], requirements }] };
    await scope.create({ name: "item", spec: specOf([replicaSet(), configMap(`${n}/a`)], { readinessChecks }) });
    await untilResting(`readiness of ReplicaSet ${n}/web: its controller has not seen the last change yet`);
    await fixture.targetClient.delete(replicaSets, { namespace: n, name: "web" });
    await waitFor(async () => {
      await clock.advance(50);
      return (await fixture.targetClient.find(replicaSets, { namespace: n, name: "web" })) !== undefined;
    });
    await setStatus(replicaSets, "web", { observedGeneration: 1, replicas: 1, readyReplicas: 1 });
    await untilResting(`readiness of check a: ConfigMap ${n}/a: .data.ready does not fulfil "=="`);
    await edit("a", { data: { ready: "yes" } });
    expect((await untilEnd()).status?.phase).toBe("Succeeded");
  });
});

const reference = (name: string) => ({ apiVersion: "v1", kind: "ConfigMap", name, namespace: n });
