import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { DeployItem, UnstructuredObject } from "@landscaper/api";
import { kubeResources, resources } from "@landscaper/api";
import type { Environment } from "../src/services/environment.ts";
import { startEnvironment } from "../src/services/environment.ts";
import { itemsInstallation, manifestItem } from "../src/installations/inline-installation.ts";
import { runDeployment, runPod } from "../src/items/play-kubelet.ts";
import { clustersUnderTest } from "../src/clusters/selected-clusters.ts";
import type { TestNamespace } from "../src/namespaces/test-namespace.ts";

const apiVersion = "v1";

function configMap(name: string, namespace: string, data: Record<string, string>): UnstructuredObject {
  return { apiVersion, kind: "ConfigMap", metadata: { name, namespace }, data };
}

function secret(name: string, namespace: string): UnstructuredObject {
  const data = { key: Buffer.from("value").toString("base64") };
  return { apiVersion, kind: "Secret", metadata: { name, namespace }, type: "Opaque", data };
}

function installation(...items: readonly Record<string, unknown>[]): UnstructuredObject {
  return itemsInstallation(items);
}

interface ManagedResource {
  readonly policy?: string;
  readonly resource: {
    readonly kind: string;
    readonly name: string;
    readonly namespace: string;
    readonly uid?: string;
  };
}

function managedResources(item: DeployItem | undefined): readonly ManagedResource[] {
  const list: unknown = Reflect.get(Object(item?.status?.providerStatus), "managedResources");
  return Array.isArray(list) ? (list as ManagedResource[]) : []; // the deployer's own schema
}

async function itemOf(scope: TestNamespace): Promise<DeployItem | undefined> {
  return (await scope.deployItems("root")).get("item");
}

async function waitForItem(scope: TestNamespace, phase: string): Promise<DeployItem> {
  await scope.until(resources.execution, "root", (found) => found?.status?.phase === "Progressing");
  const name = (await itemOf(scope))?.metadata.name ?? "";
  const found = await scope.until(resources.deployItem, name, (item) => item?.status?.phase === phase);
  if (found === undefined) throw new Error("the item is gone");
  return found;
}

const podSpec = { containers: [{ name: "main", image: "registry.example.test/main:1" }] };

describe.each(clustersUnderTest())("the manifest deployer on %s", (cluster) => {
  let environment: Environment;
  async function newScope(name: string): Promise<TestNamespace> {
    const scope = await environment.namespace(name);
    await scope.apply(scope.target("target"));
    return scope;
  }
  beforeAll(async () => {
    environment = await startEnvironment({ cluster, services: ["landscaper-core", "manifest-deployer"] });
  });
  afterAll(async () => environment.stop());

  it("applies and removes a Secret, in the current and in the old form of its configuration (A7)", async () => {
    const scope = await newScope("a7");
    const old = manifestItem({ name: "old", manifests: [] });
    const oldConfig = {
      apiVersion: "manifest.deployer.landscaper.gardener.cloud/v1alpha1",
      kind: "ProviderConfiguration",
      updateStrategy: "patch",
      manifests: [secret("old", scope.targetNamespace)],
    };
    await scope.apply(
      installation(manifestItem({ name: "current", manifests: [secret("current", scope.targetNamespace)] }), {
        ...old,
        config: oldConfig,
      }),
    );
    await scope.waitForPhase("root", "Succeeded");
    for (const name of ["current", "old"]) {
      const deployed = await scope.findOnTarget(kubeResources.secret, name);
      expect(deployed?.data).toEqual({ key: "dmFsdWU=" });
      const items = await scope.deployItems("root");
      expect(deployed?.metadata.labels?.["manifest.deployer.landscaper.gardener.cloud/deployitem"]).toBe(
        items.get(name)?.metadata.name,
      );
    }

    await scope.delete(resources.installation, "root");
    await scope.untilGone(resources.installation, "root");
    expect(await scope.findOnTarget(kubeResources.secret, "current")).toBeUndefined();
    expect(await scope.findOnTarget(kubeResources.secret, "old")).toBeUndefined();
  });

  it("removes what an update no longer has and updates the rest (A8)", async () => {
    const scope = await newScope("a8");
    const { targetNamespace } = scope;
    const first = [configMap("stays", targetNamespace, { step: "1" }), configMap("goes", targetNamespace, {})];
    await scope.apply(installation(manifestItem({ manifests: first })));
    await scope.waitForPhase("root", "Succeeded");
    const before = await scope.findOnTarget(kubeResources.configMap, "stays");
    expect(managedResources(await itemOf(scope)).map(({ resource }) => resource.name)).toEqual(["goes", "stays"]);

    const second = [configMap("stays", targetNamespace, { step: "2" })];
    await scope.apply(installation(manifestItem({ manifests: second })));
    await scope.waitForPhase("root", "Succeeded");
    expect(await scope.findOnTarget(kubeResources.configMap, "goes")).toBeUndefined();
    const after = await scope.findOnTarget(kubeResources.configMap, "stays");
    expect(after?.data).toEqual({ step: "2" });
    expect(managedResources(await itemOf(scope))).toEqual([
      {
        policy: "manage",
        resource: {
          apiVersion: "v1",
          kind: "ConfigMap",
          name: "stays",
          namespace: targetNamespace,
          uid: before?.metadata.uid,
        },
      },
    ]);
  });

  it("keeps trying to reach a namespace that does not exist until the time is up (A9)", async () => {
    const scope = await newScope("a9");
    const absent = `${scope.name}-absent`;
    const item = manifestItem({ manifests: [configMap("nowhere", absent, {})], item: { timeout: "6s" } });
    await scope.apply(installation(item));
    const progressing = await waitForItem(scope, "Progressing");
    expect(progressing.status?.jobIDFinished).not.toBe(progressing.status?.jobID);
    // Listed before it exists: planned, so without uid.
    const planned = await scope.until(
      resources.deployItem,
      progressing.metadata.name ?? "",
      (found) => managedResources(found).length > 0,
    );
    expect(managedResources(planned).map(({ resource }) => ({ name: resource.name, uid: resource.uid }))).toEqual([
      { name: "nowhere", uid: undefined },
    ]);
    const failed = await scope.waitForPhase("root", "Failed");
    const last = (await itemOf(scope))?.status;
    expect(last).toMatchObject({ phase: "Failed", lastError: { codes: ["ERR_TIMEOUT"] } });
    expect(last?.jobIDFinished).toBe(last?.jobID);
    expect(failed.status?.lastError?.message).toContain(absent);

    // An entry without uid is removed from the list and nothing else: the namespace still is not there.
    await scope.delete(resources.installation, "root");
    await scope.untilGone(resources.installation, "root");
  });

  it("does not delete a foreign object that it only planned to create (A9)", async () => {
    const scope = await newScope("a9-foreign");
    const absent = `${scope.name}-late`;
    const item = manifestItem({ manifests: [configMap("foreign", absent, {})], item: { timeout: "3s" } });
    await scope.apply(installation(item));
    await scope.waitForPhase("root", "Failed");
    const { targetClient } = environment;
    await targetClient.create(kubeResources.namespace, { apiVersion, kind: "Namespace", metadata: { name: absent } });
    await targetClient.create(kubeResources.configMap, configMap("foreign", absent, { owner: "somebody else" }));

    await scope.delete(resources.installation, "root");
    await scope.untilGone(resources.installation, "root");
    const foreign = await targetClient.get(kubeResources.configMap, { namespace: absent, name: "foreign" });
    expect(foreign.data).toEqual({ owner: "somebody else" });
    await targetClient.delete(kubeResources.namespace, { name: absent });
  });

  it("waits until a Deployment is available", async () => {
    const scope = await newScope("deployment");
    const deployment = {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: "web", namespace: scope.targetNamespace },
      spec: {
        replicas: 2,
        selector: { matchLabels: { app: "web" } },
        template: { metadata: { labels: { app: "web" } }, spec: podSpec },
      },
    };
    await scope.apply(installation(manifestItem({ manifests: [deployment] })));
    const waiting = await waitForItem(scope, "Progressing");
    expect(waiting.status?.jobIDFinished).not.toBe(waiting.status?.jobID);
    await scope.waitOnTarget(kubeResources.deployment, "web", (found) => found !== undefined);
    expect((await scope.get(resources.installation, "root")).status?.phase).toBe("Progressing");
    await runDeployment(scope, "web");
    await scope.waitForPhase("root", "Succeeded");

    await scope.delete(resources.installation, "root");
    await scope.untilGone(resources.installation, "root");
    expect(await scope.findOnTarget(kubeResources.deployment, "web")).toBeUndefined();
  });

  it("waits until a Pod is ready", async () => {
    const scope = await newScope("pod");
    const pod = {
      apiVersion,
      kind: "Pod",
      metadata: { name: "job", namespace: scope.targetNamespace },
      spec: podSpec,
    };
    await scope.apply(installation(manifestItem({ manifests: [pod] })));
    await scope.waitOnTarget(kubeResources.pod, "job", (found) => found !== undefined);
    expect((await scope.get(resources.installation, "root")).status?.phase).toBe("Progressing");
    await runPod(scope, "job");
    await scope.waitForPhase("root", "Succeeded");
  });

  it("names the object that is not ready when the time is up", async () => {
    const scope = await newScope("not-ready");
    const metadata = { name: "never", namespace: scope.targetNamespace };
    const pod = { apiVersion, kind: "Pod", metadata, spec: podSpec };
    await scope.apply(installation(manifestItem({ manifests: [pod], item: { timeout: "4s" } })));
    const failed = await scope.waitForPhase("root", "Failed");
    expect(failed.status?.lastError?.message).toContain("never");
    expect((await itemOf(scope))?.status?.lastError?.codes).toEqual(["ERR_TIMEOUT"]);
  });
});
