// What ends each wait of a manifest item: news from the target, while its clock hardly moves.
import { afterEach, describe, expect, it } from "@jest/globals";
import { kubeResources, resources, type DeployItem, type ResourceType, type UnstructuredObject } from "@landscaper/api";
import { waitFor } from "@landscaper/testkit";
import { useManifestBench } from "../test/manifest-bench.ts";
import { configMap, specOf } from "../test/manifests.ts";

/** Of an item whose watches stand, with `random` at 0. */
const restMs = 25_000;

const bench = useManifestBench("waiting", { isClockMoved: true });
afterEach(async () => {
  // The next deployer is not to have them.
  const key = { namespace: bench.n, name: "item" };
  if ((await bench.fixture.hubClient.find(resources.deployItem, key)) !== undefined)
    await bench.scope.interrupt("item");
});

/** The item says what it waits for, all of that is watched, and nothing but news or a long time brings the next pass. */
async function untilResting(message: string): Promise<void> {
  await waitFor(
    async () => {
      await bench.clock.advance(50);
      const { status } = await bench.scope.get("item");
      const isTold = status?.conditions?.some((condition) => condition.message === `waiting for ${message}`) === true;
      const pauses = bench.clock.dueTimes.map((dueMs) => dueMs - bench.clock.now());
      return isTold && bench.running.watches.size > 0 && pauses.some((ms) => ms <= restMs && ms > restMs - 2000);
    },
    { evenly: true },
  );
}

/** The item says what it waits for. */
async function untilTold(message: string): Promise<void> {
  await waitFor(
    async () => {
      await bench.clock.advance(50);
      const { status } = await bench.scope.get("item");
      return status?.conditions?.some((condition) => condition.message === `waiting for ${message}`) === true;
    },
    { evenly: true },
  );
}

/** The item as it is when its job is over, which takes much less than a rest. */
async function untilEnd(): Promise<DeployItem> {
  const began = bench.clock.now();
  const ended = await waitFor(
    async () => {
      await bench.clock.advance(20);
      const item = await bench.scope.get("item");
      return item.status?.jobIDFinished === item.status?.jobID ? item : undefined;
    },
    { evenly: true },
  );
  expect(bench.clock.now() - began).toBeLessThan(restMs / 2);
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

function replicaSet(name = "web", labels: object = { app: "web" }): UnstructuredObject {
  return {
    apiVersion: "apps/v1",
    kind: "ReplicaSet",
    metadata: { name, namespace: bench.n },
    spec: { replicas: 1, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: podSpec } },
  };
}

async function createPod(): Promise<void> {
  const { metadata } = await bench.fixture.targetClient.get(replicaSets, { namespace: bench.n, name: "web" });
  const owner = { apiVersion: "apps/v1", kind: "ReplicaSet", name: "web", uid: metadata.uid ?? "", controller: true };
  const pod = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "web-1", namespace: bench.n, labels, ownerReferences: [owner] },
    spec: podSpec,
  };
  await bench.fixture.targetClient.create(pods, pod);
}

/** Counts what deployers ask the target for, but for the resource that is forbidden. */
function countRequests(forbidden?: string): () => number {
  let count = 0;
  bench.fixture.target.setFault(({ userAgent, resource }) => {
    if (!userAgent.startsWith("manifest")) return undefined;
    if (resource === forbidden) return { status: 403 };
    count++;
    return undefined;
  });
  return () => count;
}

async function setStatus(type: ResourceType, name: string, status: object): Promise<void> {
  const patch = { type: "merge", body: { status }, subresource: "status" } as const;
  await bench.fixture.targetClient.patch(type, { namespace: bench.n, name }, patch);
}

const requirements = [{ jsonPath: ".data.ready", operator: "==", values: [{ value: "yes" }] }];

describe("an item goes on at once", () => {
  it("when a workload becomes ready", async () => {
    await bench.scope.create({ name: "item", spec: specOf([replicaSet()]) });
    await untilResting(`readiness of ReplicaSet ${bench.n}/web: its controller has not seen the last change yet`);
    await setStatus(replicaSets, "web", { observedGeneration: 1, replicas: 1, readyReplicas: 1 });
    expect((await untilEnd()).status?.phase).toBe("Succeeded");
  });

  it("when a workload becomes ready after the time of day has jumped by 30 minutes", async () => {
    await bench.scope.create({ name: "item", spec: { ...specOf([replicaSet()]), timeout: "10m" } });
    await untilResting(`readiness of ReplicaSet ${bench.n}/web: its controller has not seen the last change yet`);
    const { jobID } = (await bench.scope.get("item")).status ?? {};
    const { uid } = (await bench.fixture.targetClient.get(replicaSets, { namespace: bench.n, name: "web" })).metadata;
    bench.clock.setTimeOfDay(30 * 60_000);
    await setStatus(replicaSets, "web", { observedGeneration: 1, replicas: 1 });
    await untilTold(`readiness of ReplicaSet ${bench.n}/web: 0 of 1 replicas ready`);
    expect((await bench.scope.get("item")).status).toMatchObject({ jobID, phase: "Progressing" });
    await setStatus(replicaSets, "web", { observedGeneration: 1, replicas: 1, readyReplicas: 1 });
    expect((await untilEnd()).status).toMatchObject({ phase: "Succeeded", jobIDFinished: jobID });
    const after = await bench.fixture.targetClient.get(replicaSets, { namespace: bench.n, name: "web" });
    expect(after.metadata.uid).toBe(uid);
  });

  it("when a pod is stuck, although its workload says nothing", async () => {
    await bench.scope.create({ name: "item", spec: specOf([replicaSet()], { readinessChecks: { level: "kstatus" } }) });
    await untilResting(`readiness of ReplicaSet ${bench.n}/web: its controller has not seen the last change yet`);
    await setStatus(replicaSets, "web", { observedGeneration: 1, replicas: 1 });
    await untilResting(`readiness of ReplicaSet ${bench.n}/web: 0 of 1 replicas available`);
    await createPod();
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
    const labelSelector = { apiVersion: "v1", kind: "ConfigMap", matchLabels: { part: bench.n } };
    const readinessChecks = { custom: [{ name: "part", labelSelector, requirements }] };
    await bench.scope.create({ name: "item", spec: specOf([], { readinessChecks }) });
    await untilResting("readiness of check part: no ConfigMap has its labels");
    await bench.fixture.targetClient.create(kubeResources.configMap, configMap(`${bench.n}/part`, { ready: "yes" }));
    await bench.edit("part", { metadata: { labels: { part: bench.n } } });
    expect((await untilEnd()).status?.phase).toBe("Succeeded");
  });

  it("when a custom check is met by an object that lost them", async () => {
    const labelSelector = { apiVersion: "v1", kind: "ConfigMap", matchLabels: { part: bench.n } };
    const readinessChecks = { custom: [{ name: "part", labelSelector, requirements }] };
    const withLabels = { labels: { part: bench.n } };
    await bench.fixture.targetClient.create(
      kubeResources.configMap,
      configMap(`${bench.n}/ready`, { ready: "yes" }, withLabels),
    );
    await bench.fixture.targetClient.create(kubeResources.configMap, configMap(`${bench.n}/not`, {}, withLabels));
    await bench.scope.create({ name: "item", spec: specOf([], { readinessChecks }) });
    await untilResting(`readiness of check part: ConfigMap ${bench.n}/not: .data.ready does not fulfil "=="`);
    await bench.edit("not", { metadata: { labels: { part: null } } });
    expect((await untilEnd()).status?.phase).toBe("Succeeded");
  });

  it("when there is something to export", async () => {
    const fromResource = { apiVersion: "v1", kind: "ConfigMap", name: "a", namespace: bench.n };
    const exports = { exports: [{ key: "x", jsonPath: ".data.later", fromResource }] };
    await bench.scope.create({ name: "item", spec: specOf([configMap(`${bench.n}/a`)], { exports }) });
    await untilResting(`export of key x: ConfigMap ${bench.n}/a has no .data.later`);
    await bench.edit("a", { data: { later: "1" } });
    expect((await untilEnd()).status).toMatchObject({ phase: "Succeeded", exportRef: { namespace: bench.n } });
  });

  it("when what it deletes is gone", async () => {
    await bench.scope.create({
      name: "item",
      spec: specOf([configMap(`${bench.n}/held`, {}, { finalizers: ["example.org/hold"] })]),
    });
    await untilEnd();
    await bench.scope.remove("item");
    await untilResting(`the deletion of ConfigMap ${bench.n}/held`);
    await bench.edit("held", { metadata: { finalizers: null } });
    const began = bench.clock.now();
    await waitFor(
      async () => {
        await bench.clock.advance(20);
        return (await bench.fixture.hubClient.list(resources.deployItem, { namespace: bench.n })).items.length === 0;
      },
      { evenly: true },
    );
    expect(bench.clock.now() - began).toBeLessThan(restMs / 2);
  });

  it("when an object that somebody has removed has to be made again", async () => {
    const readinessChecks = { custom: [{ name: "a", resourceSelector: [reference("a")], requirements }] };
    await bench.scope.create({
      name: "item",
      spec: specOf([replicaSet(), configMap(`${bench.n}/a`)], { readinessChecks }),
    });
    await untilResting(`readiness of ReplicaSet ${bench.n}/web: its controller has not seen the last change yet`);
    await bench.fixture.targetClient.delete(replicaSets, { namespace: bench.n, name: "web" });
    await waitFor(
      async () => {
        await bench.clock.advance(50);
        return (await bench.fixture.targetClient.find(replicaSets, { namespace: bench.n, name: "web" })) !== undefined;
      },
      { evenly: true },
    );
    await setStatus(replicaSets, "web", { observedGeneration: 1, replicas: 1, readyReplicas: 1 });
    await untilResting(`readiness of check a: ConfigMap ${bench.n}/a: .data.ready does not fulfil "=="`);
    await bench.edit("a", { data: { ready: "yes" } });
    expect((await untilEnd()).status?.phase).toBe("Succeeded");
  });
});

describe("the reason of a wait", () => {
  const unready = (): string => `readiness of ReplicaSet ${bench.n}/web: `;
  const setContainer = async (status: object): Promise<void> => {
    const container = { name: "main", image: "i", imageID: "", ready: false, restartCount: 0, ...status };
    await setStatus(pods, "web-1", { phase: "Pending", containerStatuses: [container] });
  };

  it("names what is wrong with a pod at the default level, as it changes, and nothing when it is over", async () => {
    await bench.scope.create({ name: "item", spec: specOf([replicaSet()]) });
    await untilResting(`${unready()}its controller has not seen the last change yet`);
    await setStatus(replicaSets, "web", { observedGeneration: 1, replicas: 1 });
    await createPod();
    await setContainer({ state: { waiting: { reason: "ImagePullBackOff" } } });
    await untilResting(`${unready()}0 of 1 replicas ready; Pod web-1: container main: ImagePullBackOff`);
    const began = bench.clock.now();
    await setContainer({ state: { waiting: { reason: "ContainerCreating" } } });
    await untilTold(`${unready()}0 of 1 replicas ready`);
    expect(bench.clock.now() - began).toBeLessThan(5000);
    await setContainer({ state: { terminated: { exitCode: 137, reason: "OOMKilled" } } });
    await untilTold(
      `${unready()}0 of 1 replicas ready; Pod web-1: container main: exited with 137 (OOMKilled); its log cannot be read`,
    );
    await setStatus(replicaSets, "web", { observedGeneration: 1, replicas: 1, readyReplicas: 1 });
    expect((await untilEnd()).status?.phase).toBe("Succeeded");
  });

  it("costs no requests while nothing changes, for 20 items", async () => {
    const requests = countRequests();
    const names = Array.from({ length: 20 }, (_, index) => `item-${index}`);
    for (const name of names) await bench.scope.create({ name, spec: specOf([replicaSet(name, { app: name })]) });
    const isWaiting = async (name: string): Promise<boolean> =>
      (await bench.scope.get(name)).status?.conditions?.some(({ message }) => message.includes(name)) === true;
    await waitFor(
      async () => {
        await bench.clock.advance(200);
        const told = await Promise.all(names.map(isWaiting));
        const pauses = bench.clock.dueTimes.map((dueMs) => dueMs - bench.clock.now());
        return told.every(Boolean) && pauses.filter((ms) => ms <= restMs && ms > restMs - 5000).length >= 20;
      },
      { evenly: true },
    );
    const before = requests();
    // Discovery, apply, a look when the watch stands, and two looks at the pods, each with the object itself.
    expect(before / 20).toBeGreaterThan(4);
    expect(before / 20).toBeLessThan(10);
    await bench.clock.advance(restMs - 6000);
    await bench.scope.create({ name: "item", spec: specOf([]) });
    await untilEnd();
    expect(requests()).toBe(before);
    for (const name of names) await bench.scope.interrupt(name);
  });

  it("does without pods where the target forbids them, and the item goes on as before", async () => {
    const requests = countRequests("pods");
    await bench.scope.create({ name: "item", spec: specOf([replicaSet()]) });
    await untilResting(`${unready()}its controller has not seen the last change yet`);
    await setStatus(replicaSets, "web", { observedGeneration: 1, replicas: 1 });
    await untilResting(`${unready()}0 of 1 replicas ready`);
    const before = requests();
    for (let second = 0; second < 15; second++) {
      await bench.clock.advance(1000);
      // A pass that has begun gets its time.
      for (let look = 0; look < 3; look++) await bench.scope.get("item");
    }
    expect(requests()).toBe(before);
    await setStatus(replicaSets, "web", { observedGeneration: 1, replicas: 1, readyReplicas: 1 });
    expect((await untilEnd()).status?.phase).toBe("Succeeded");
  });
});

const reference = (name: string) => ({ apiVersion: "v1", kind: "ConfigMap", name, namespace: bench.n });
