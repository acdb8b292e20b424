// Jobs that would take away a lot: what people hear of them, what stays, and what an annotation on the Installation allows.
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { annotations, kubeResources, resources, type KubeObject, type ResourceType } from "@landscaper/api";
import { startEnvironment, type Environment } from "../src/services/environment.ts";
import { clusterInstallation, manifestItem, spiff } from "../src/installations/inline-installation.ts";
import { clustersUnderTest } from "../src/clusters/selected-clusters.ts";
import type { TestNamespace } from "../src/namespaces/test-namespace.ts";

const persistentVolumeClaim: ResourceType = {
  group: "",
  version: "v1",
  kind: "PersistentVolumeClaim",
  plural: "persistentvolumeclaims",
  namespaced: true,
};

describe.each(clustersUnderTest())("jobs that would take away a lot on %s", (cluster) => {
  let environment: Environment;
  beforeAll(async () => {
    environment = await startEnvironment({ cluster, services: ["landscaper-core", "manifest-deployer"] });
  });
  afterAll(async () => environment.stop());

  const map = (namespace: string): object => ({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "map", namespace },
  });
  const claim = (namespace: string): object => ({
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: { name: "claim", namespace },
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
  });

  const execution = (...manifests: readonly object[]): unknown => spiff({ deployItems: [manifestItem({ manifests })] });

  async function allow(scope: TestNamespace, annotation: string): Promise<void> {
    const body = { metadata: { annotations: { [annotation]: "true" } } };
    const key = { namespace: scope.name, name: "root" };
    await environment.client.patch(resources.installation, key, { type: "merge", body });
  }

  async function find<T extends KubeObject>(
    scope: TestNamespace,
    type: ResourceType<T>,
    name: string,
  ): Promise<string | undefined> {
    const live = await environment.targetClient.find(type, { namespace: scope.targetNamespace, name });
    return live?.metadata.deletionTimestamp === undefined ? live?.metadata.name : undefined;
  }

  it("a misspelt field of a blueprint is Failed with what it would remove, until that is allowed", async () => {
    const scope = await environment.namespace("held");
    const deployExecutions = execution(map(scope.targetNamespace));
    await scope.apply(scope.target("cluster"), clusterInstallation({ deployExecutions }));
    await scope.waitForPhase("root", "Succeeded");
    await scope.apply(clusterInstallation({ deployExecution: deployExecutions }));
    const failed = await scope.waitForPhase("root", "Failed");
    expect(failed.status?.lastError).toMatchObject({
      reason: "EmptyingHeldBack",
      message: expect.stringContaining("the job would leave no deploy item: it would remove item; "),
    });
    expect(await find(scope, kubeResources.configMap, "map")).toBe("map");
    await allow(scope, annotations.allowEmpty);
    await scope.trigger("root");
    await scope.waitForPhase("root", "Succeeded");
    expect(await find(scope, kubeResources.configMap, "map")).toBeUndefined();
  });

  it("an item without manifests is Failed, until the Installation allows it", async () => {
    const scope = await environment.namespace("held");
    const targets = scope.target("cluster");
    await scope.apply(targets, clusterInstallation({ deployExecutions: execution(map(scope.targetNamespace)) }));
    await scope.waitForPhase("root", "Succeeded");
    await scope.apply(clusterInstallation({ deployExecutions: execution() }));
    const failed = await scope.waitForPhase("root", "Failed");
    expect(failed.status?.lastError?.message).toContain(
      `deploy item "item": the job would leave no object of the deploy item: it would remove ConfigMap ${scope.targetNamespace}/map`,
    );
    expect(await find(scope, kubeResources.configMap, "map")).toBe("map");
    await allow(scope, annotations.allowEmpty);
    await scope.trigger("root");
    await scope.waitForPhase("root", "Succeeded");
    expect(await find(scope, kubeResources.configMap, "map")).toBeUndefined();
  });

  it("a claim that is to be pruned holds the job back, until the Installation allows it", async () => {
    const scope = await environment.namespace("held");
    const { targetNamespace } = scope;
    const both = execution(map(targetNamespace), claim(targetNamespace));
    await scope.apply(scope.target("cluster"), clusterInstallation({ deployExecutions: both }));
    await scope.waitForPhase("root", "Succeeded");
    await scope.apply(clusterInstallation({ deployExecutions: execution(map(targetNamespace)) }));
    const failed = await scope.waitForPhase("root", "Failed");
    expect(failed.status?.lastError?.message).toContain(
      `the job would remove PersistentVolumeClaim ${targetNamespace}/claim, and what is in there`,
    );
    expect(await find(scope, persistentVolumeClaim, "claim")).toBe("claim");
    await allow(scope, annotations.allowPrune);
    // The API server protects every claim by a finalizer; the controller that would take it off does not run here.
    const key = { namespace: targetNamespace, name: "claim" };
    const unprotected = { metadata: { finalizers: [] } };
    await environment.targetClient.patch(persistentVolumeClaim, key, { type: "merge", body: unprotected });
    await scope.trigger("root");
    await scope.waitForPhase("root", "Succeeded");
    expect(await find(scope, persistentVolumeClaim, "claim")).toBeUndefined();
  });
});
