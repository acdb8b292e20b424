import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { ConfigMap, DeployItem, KubeObject, ResourceType } from "@landscaper/api";
import { annotations, kubeResources, resources } from "@landscaper/api";
import { waitFor, type ApiProxy, startApiProxy, type RequestLog, logRequests } from "@landscaper/testkit";
import type { Environment } from "../src/services/environment.ts";
import { startEnvironment } from "../src/services/environment.ts";
import { deployItems, inlineInstallation, manifestItem } from "../src/installations/inline-installation.ts";
import { clustersUnderTest } from "../src/clusters/selected-clusters.ts";
import type { TestNamespace } from "../src/namespaces/test-namespace.ts";
import { hubKinds } from "../take-over/hub-kinds.ts";
import { recordBusy, recordLeaving, recordPair } from "../take-over/in-flight.ts";
import { loadLandscape } from "../take-over/load-landscape.ts";
import { recordPlatform } from "../take-over/platform.ts";
import type { OriginalVersion, RecordedObject } from "../take-over/recorded-object.ts";
import { recordShop, type Place } from "../take-over/shop.ts";

/** "KIND NAME" of everything of a landscape on the hub. */
async function listNames(scope: TestNamespace): Promise<string[]> {
  const lists = await Promise.all(hubKinds.map(async (type) => scope.list<KubeObject>(type)));
  return lists.flatMap((objects, index) =>
    objects.map(({ metadata }) => `${hubKinds[index]?.kind ?? ""} ${metadata.name ?? ""}`),
  );
}

/** Waits until Kubernetes has collected everything but these. */
async function waitForNames(scope: TestNamespace, names: readonly string[]): Promise<void> {
  const sorted = async (): Promise<string[]> => (await listNames(scope)).toSorted();
  // The comparison after it says what is left.
  await waitFor(async () => isDeepStrictEqual(await sorted(), names)).catch(() => undefined);
  expect(await sorted()).toEqual(names);
}

interface JobTrace {
  readonly uid: string | undefined;
  readonly generation: number | undefined;
  readonly jobID: string | undefined;
  readonly lastReconcileTime: string | undefined;
}

/** What tells whether a deploy item was changed or run, by object name. */
async function traceItems(scope: TestNamespace): Promise<Record<string, JobTrace>> {
  const items: DeployItem[] = await scope.list(resources.deployItem);
  return Object.fromEntries(
    items.map(({ metadata: { name = "", uid, generation }, status }) => [
      name,
      { uid, generation, jobID: status?.jobID, lastReconcileTime: status?.lastReconcileTime },
    ]),
  );
}

const service: ResourceType = { group: "", version: "v1", kind: "Service", plural: "services", namespaced: true };

/** Resource versions of what stands in the target namespace, by name. */
async function versionsOnTarget({ environment, targetNamespace }: TestNamespace): Promise<Record<string, string>> {
  const { targetClient } = environment;
  const list = async (type: ResourceType) => (await targetClient.list(type, { namespace: targetNamespace })).items;
  const objects = [...(await list(kubeResources.configMap)), ...(await list(service))];
  return Object.fromEntries(
    objects
      // Kubernetes puts this one into every namespace.
      .filter(({ metadata }) => metadata.name !== "kube-root-ca.crt")
      .map(({ metadata }) => [metadata.name ?? "", metadata.resourceVersion ?? ""]),
  );
}

describe.each(clustersUnderTest())("a landscape of the original on %s", (cluster) => {
  let environment: Environment;
  let proxy: ApiProxy;
  let requests: RequestLog;
  let shop: TestNamespace;
  let platform: TestNamespace;
  let busy: TestNamespace;
  let leaving: TestNamespace;
  let half: TestNamespace;
  let pair: TestNamespace;
  let loaded: { readonly names: string[]; readonly items: object; readonly target: Record<string, string> }[];

  const snapshot = async (scope: TestNamespace) => ({
    names: await listNames(scope),
    items: await traceItems(scope),
    target: await versionsOnTarget(scope),
  });

  beforeAll(async () => {
    environment = await startEnvironment({
      cluster,
      separateTarget: false,
      services: ["landscaper-core", "manifest-deployer"],
      startsServices: false,
      async kubeconfigFor(service, hub) {
        // The services speak to the hub directly; only Targets lead through the proxy.
        if (service === "manifest-deployer") {
          proxy = await startApiProxy({ upstream: { url: hub.url, ca: hub.ca }, token: hub.token });
        }
        return undefined;
      },
      targetKubeconfig: () => proxy.kubeconfig,
    });
    requests = logRequests(proxy);
    const load = async (
      name: string,
      record: (place: Place) => readonly RecordedObject[],
      original: OriginalVersion = "v0.153.0",
    ): Promise<TestNamespace> => {
      const scope = await environment.namespace(name);
      const { targetNamespace } = scope;
      const kubeconfig = environment.targetKubeconfig;
      await loadLandscape(scope, record({ namespace: scope.name, targetNamespace, kubeconfig, original }));
      return scope;
    };
    shop = await load("shop", recordShop);
    platform = await load("platform", recordPlatform, "v1.4.0");
    busy = await load("busy", recordBusy, "v1.4.0");
    leaving = await load("leaving", recordLeaving);
    half = await load("half", (place) => recordShop(place, "half"), "v1.4.0");
    pair = await load("pair", recordPair);
    loaded = [await snapshot(shop), await snapshot(platform)];
    await Promise.all(environment.services.map(async (each) => each.start()));
  });
  afterAll(async () => {
    await environment.stop();
    await proxy.stop();
  });

  it("finishes the job that was running", async () => {
    const ended = await busy.waitForPhase("busy", "Succeeded");
    expect(ended.status?.lastError).toBeUndefined();
    const found = await busy.findOnTarget<ConfigMap>(kubeResources.configMap, "busy");
    expect(found?.data).toEqual({ word: "hello" });
    expect(Object.keys(await traceItems(busy))).toEqual(["busy-item-t6d2r"]);
  });

  it("finishes the job that was in the middle of a tree", async () => {
    const before = await versionsOnTarget(half);
    const ended = await half.waitForPhase("shop", "Succeeded");
    const jobs = (await half.list(resources.installation)).map(({ status }) => status?.jobIDFinished);
    expect(jobs).toEqual([ended.status?.jobID, ended.status?.jobID, ended.status?.jobID]);
    expect(await half.exported("shop-url")).toBe("http://store.example:8080/");
    expect(await versionsOnTarget(half)).toEqual(before);
    expect(Object.keys(await traceItems(half)).toSorted()).toEqual([
      "front-9qm4z-item-w2hbd",
      "store-x7k2p-item-c5ms8",
    ]);
  });

  it("triggers what was to be triggered", async () => {
    await pair.until(resources.installation, "second", (found) => found?.status?.phase === "Succeeded");
    expect((await pair.get(resources.installation, "first")).status?.dependentsToTrigger).toBeUndefined();
  });

  it("finishes the deletion that was running, although the blueprint cannot be read", async () => {
    await leaving.untilGone(resources.installation, "leaving");
    expect(await versionsOnTarget(leaving)).toEqual({});
    expect(await leaving.list(resources.deployItem)).toEqual([]);
  });

  it("is left alone until somebody asks: no request to its target, no job, no new object, only conditions", async () => {
    const canary = await environment.namespace("canary");
    const manifest = {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "canary", namespace: canary.targetNamespace },
    };
    await canary.apply(
      canary.target("cluster"),
      inlineInstallation({
        name: "canary",
        blueprint: {
          imports: [{ name: "cluster", type: "target", targetType: "landscaper.gardener.cloud/kubernetes-cluster" }],
          deployExecutions: deployItems(manifestItem({ manifests: [manifest] })),
        },
        imports: { targets: [{ name: "cluster", target: "cluster" }] },
      }),
    );
    await canary.waitForPhase("canary", "Succeeded");
    // The services work, and what they do to targets is seen here.
    expect(requests.writes(canary.targetNamespace)).toHaveLength(1);
    for (const scope of [shop, platform]) expect(requests.requests(scope.targetNamespace)).toEqual([]);
    expect([await snapshot(shop), await snapshot(platform)]).toEqual(loaded);
    for (const [scope, root] of [
      [shop, "shop"],
      [platform, "platform"],
    ] as const) {
      const { status } = await scope.get(resources.installation, root);
      expect(status?.conditions?.find(({ type }) => type === "Ready")?.status).toBe("True");
    }
  });

  it("keeps all names, and its target untouched, when a job finds nothing new", async () => {
    const [shopBefore, platformBefore] = loaded;
    requests.forget();
    await Promise.all([shop.trigger("shop"), platform.trigger("platform")]);
    await shop.waitForPhase("shop", "Succeeded");
    await platform.waitForPhase("platform", "Succeeded");

    expect((await listNames(shop)).toSorted()).toEqual(shopBefore?.names.toSorted());
    expect((await listNames(platform)).toSorted()).toEqual(platformBefore?.names.toSorted());
    expect(await versionsOnTarget(shop)).toEqual(shopBefore?.target);
    // A job writes a Service in any case, because the API server completes it: that write brings the annotation of its owner.
    expect(await versionsOnTarget(platform)).toEqual({ ...platformBefore?.target, door: expect.any(String) });
    expect(requests.writes(shop.targetNamespace)).toEqual([]);
    expect(await shop.exported("shop-url")).toBe("http://store.example:8080/");
  });

  it("has its items run by that job, without a change to them", async () => {
    for (const [index, scope] of [shop, platform].entries()) {
      const [root] = await scope.list(resources.installation);
      const items = await traceItems(scope);
      for (const [name, before] of Object.entries<JobTrace>(loaded[index]?.items as Record<string, JobTrace>)) {
        const { uid, generation, jobID, lastReconcileTime } = items[name] ?? {};
        expect({ name, uid, generation, jobID }).toEqual({
          name,
          uid: before.uid,
          generation: before.generation,
          jobID: root?.status?.jobID,
        });
        expect(lastReconcileTime).not.toBe(before.lastReconcileTime);
      }
    }
  });

  it("does not run an item with updateOnChangeOnly again", () => {
    expect(requests.requests(`${platform.targetNamespace}/configmaps/middle`)).not.toEqual([]);
    expect(requests.requests(`${platform.targetNamespace}/configmaps/top`)).toEqual([]);
  });

  it("keeps the names of DeployItems in the status of their Execution, and those of subinstallations on the objects", async () => {
    const items = await platform.deployItems("platform");
    expect(items.get("middle")?.metadata.name).toBe("platform-middle-kd82v");
    const front = await shop.get(resources.installation, "front-9qm4z");
    expect(front.metadata.annotations?.[annotations.subinstallationName]).toBe("front");
    for (const scope of [shop, platform]) {
      for (const { status } of await scope.list(resources.installation)) expect(status?.subInstCache).toBeUndefined();
      const items = await scope.list(resources.deployItem);
      for (const execution of await scope.list(resources.execution)) {
        const own = items.filter(({ metadata }) => metadata.ownerReferences?.[0]?.uid === execution.metadata.uid);
        const names = execution.status?.deployItemCache?.activeDIs?.map(({ objectName = "" }) => objectName);
        expect(names?.toSorted()).toEqual(own.map(({ metadata }) => metadata.name ?? "").toSorted());
      }
    }
  });

  it("changes no more than a changed import asks for", async () => {
    const [before] = loaded;
    requests.forget();
    await shop.apply({
      apiVersion: "landscaper.gardener.cloud/v1alpha1",
      kind: "DataObject",
      metadata: { name: "shop-greeting" },
      data: "good day",
    });
    await shop.trigger("shop");
    await shop.waitForPhase("shop", "Succeeded");
    const { front, ...others } = await versionsOnTarget(shop);
    const { front: frontBefore, ...othersBefore } = before?.target ?? {};
    expect(others).toEqual(othersBefore);
    expect(front).not.toBe(frontBefore);
    expect(requests.writes(shop.targetNamespace)).toEqual([expect.stringMatching(/^PUT .*\/configmaps\/front/)]);
    const found = await shop.findOnTarget<ConfigMap>(kubeResources.configMap, "front");
    expect(found?.data).toEqual({ greeting: "good day", url: "http://store.example:8080/" });
    expect(Object.keys(await traceItems(shop))).toEqual(Object.keys(before?.items ?? {}));
  });

  it("goes completely when it is deleted", async () => {
    for (const [scope, root] of [
      [shop, "shop"],
      [platform, "platform"],
    ] as const) {
      await scope.delete(resources.installation, root);
      await scope.untilGone(resources.installation, root);
      expect(await versionsOnTarget(scope)).toEqual({});
      for (const type of [resources.installation, resources.execution, resources.deployItem]) {
        expect(await scope.list<KubeObject>(type)).toEqual([]);
      }
    }
    // What the user has made stays; copies and exports go with their owners.
    const made = ["DataObject shop-greeting", "DataObject shop-size", "Target cluster"];
    await waitForNames(shop, made);
    await waitForNames(platform, ["Target cluster"]);
  });
});
