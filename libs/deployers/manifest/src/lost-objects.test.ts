// Objects of a manifest item that somebody removes while its job waits.
import { describe, expect, it } from "@jest/globals";
import { kubeResources, type UnstructuredObject } from "@landscaper/api";
import { waitFor } from "@landscaper/testkit";
import { useManifestBench } from "../test/manifest-bench.ts";
import { configMap, specOf } from "../test/manifests.ts";

const bench = useManifestBench("lost");

const namespaceObject = (name: string): UnstructuredObject => ({
  apiVersion: "v1",
  kind: "Namespace",
  metadata: { name },
});

/** Waits until the ConfigMap says that it is ready. */
function readinessOf(namespace: string): object {
  const resourceSelector = [{ apiVersion: "v1", kind: "ConfigMap", name: "gate", namespace }];
  const requirements = [{ jsonPath: ".data.ready", operator: "==", values: [{ value: "yes" }] }];
  return { custom: [{ name: "gate", resourceSelector, requirements }] };
}

async function untilWaiting(): Promise<void> {
  await bench.scope.waitFor("item", ({ conditions }) => JSON.stringify(conditions).includes("readiness of check gate"));
}

/** Resolves to the uid of the ConfigMap when it is another one than before. */
async function untilAnew(namespace: string, before?: string): Promise<string | undefined> {
  return await waitFor(async () => {
    const found = await bench.fixture.targetClient.find(kubeResources.configMap, { namespace, name: "gate" });
    return found?.metadata.uid === before ? undefined : found?.metadata.uid;
  });
}

describe("a job that waits re-creates what is removed", () => {
  it("a Namespace of the item, with all that was in it", async () => {
    const namespace = `${bench.n}-own`;
    const manifests = [namespaceObject(namespace), configMap(`${namespace}/gate`), configMap(`${namespace}/other`)];
    await bench.scope.create({ name: "item", spec: specOf(manifests, { readinessChecks: readinessOf(namespace) }) });
    await untilWaiting();
    const before = await untilAnew(namespace);
    const { targetClient } = bench.fixture;
    await targetClient.delete(kubeResources.namespace, { name: namespace });
    await untilAnew(namespace, before);
    const body = { data: { ready: "yes" } };
    await targetClient.patch(kubeResources.configMap, { namespace, name: "gate" }, { type: "merge", body });
    const { status } = await bench.scope.waitForEnd("item");
    expect([status?.phase, status?.lastError]).toEqual(["Succeeded", undefined]);
    expect(await targetClient.find(kubeResources.configMap, { namespace, name: "other" })).toBeDefined();
  });

  it("an object once, and fails when it is removed again", async () => {
    const key = { namespace: bench.n, name: "gate" };
    const spec = specOf([configMap(`${bench.n}/gate`)], { readinessChecks: readinessOf(bench.n) });
    await bench.scope.create({ name: "item", spec });
    await untilWaiting();
    const first = await untilAnew(bench.n);
    await bench.fixture.targetClient.delete(kubeResources.configMap, key);
    await untilAnew(bench.n, first);
    await bench.fixture.targetClient.delete(kubeResources.configMap, key);
    const { status } = await bench.scope.waitForEnd("item");
    expect([status?.phase, status?.lastError?.reason]).toEqual(["Failed", "TargetObjectLost"]);
    expect(status?.lastError?.message).toMatch(`ConfigMap ${bench.n}/gate was removed twice during the job`);
  });

  it("but no object that the item only looks at", async () => {
    const entry = { policy: "ignore", manifest: configMap(`${bench.n}/gate`) };
    await bench.scope.create({ name: "item", spec: specOf([entry], { readinessChecks: readinessOf(bench.n) }) });
    await untilWaiting();
    // News of another object bring further passes.
    const { targetClient } = bench.fixture;
    await targetClient.create(kubeResources.configMap, configMap(`${bench.n}/gate`));
    await targetClient.delete(kubeResources.configMap, { namespace: bench.n, name: "gate" });
    await targetClient.create(kubeResources.configMap, configMap(`${bench.n}/gate`, { ready: "yes" }));
    expect((await bench.scope.waitForEnd("item")).status?.phase).toBe("Succeeded");
  });
});
