// Another client removes objects of a chart while the job waits.
import { describe, expect, it } from "@jest/globals";
import { kubeResources } from "@landscaper/api";
import { waitFor } from "@landscaper/testkit";
import { useHelmBench } from "../test/helm-bench.ts";
import { replicaSetChart, replicaSets, setStatus } from "../test/replica-set.ts";

const bench = useHelmBench();

/** Waits until the ReplicaSet has another uid than before, and returns it. */
async function waitForNewUid(namespace: string, before?: string): Promise<string | undefined> {
  return await waitFor(async () => {
    const found = await bench.fixture.targetClient.find(replicaSets, { namespace, name: "web" });
    return found?.metadata.uid === before ? undefined : found?.metadata.uid;
  });
}

describe.each([
  ["a release", {}],
  ["manifests", { helmDeployment: false }],
])("a waiting job of %s re-creates", (_what, config) => {
  it("a workload once, and fails when it is removed again", async () => {
    const chart = await replicaSetChart();
    await bench.create({ chart, ...config });
    await bench.waitForWords(`readiness of ReplicaSet ${bench.namespace}/web: `);
    const first = await waitForNewUid(bench.namespace);
    const key = { namespace: bench.namespace, name: "web" };
    await bench.fixture.targetClient.delete(replicaSets, key);
    await waitForNewUid(bench.namespace, first);
    await bench.fixture.targetClient.delete(replicaSets, key);
    const { status } = await bench.scope.waitForEnd("item");
    expect([status?.phase, status?.lastError?.reason]).toEqual(["Failed", "TargetObjectLost"]);
    expect(status?.lastError?.message).toContain(`ReplicaSet ${bench.namespace}/web was removed twice during the job`);
  });

  it("the namespace, with all that was in it", async () => {
    const chart = await replicaSetChart();
    const namespace = `${bench.namespace}-own`;
    await bench.create({ chart, namespace, createNamespace: true, ...config });
    await bench.waitForWords(`readiness of ReplicaSet ${namespace}/web: `);
    const first = await waitForNewUid(namespace);
    await bench.fixture.targetClient.delete(kubeResources.namespace, { name: namespace });
    await waitForNewUid(namespace, first);
    await setStatus(bench, { observedGeneration: 1, replicas: 1, readyReplicas: 1 }, namespace);
    const { status } = await bench.scope.waitForEnd("item");
    expect([status?.phase, status?.lastError]).toEqual(["Succeeded", undefined]);
  });
});
