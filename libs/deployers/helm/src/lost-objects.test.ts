// Objects of a chart that somebody removes while the job waits.
import { describe, expect, it } from "@jest/globals";
import { kubeResources, type ResourceType, type UnstructuredObject } from "@landscaper/api";
import { waitFor } from "@landscaper/testkit";
import { useHelmBench } from "../test/helm-bench.ts";
import { rawChart } from "../test/index.ts";

const bench = useHelmBench();

const sets: ResourceType<UnstructuredObject> = {
  group: "apps",
  version: "v1",
  kind: "ReplicaSet",
  plural: "replicasets",
  namespaced: true,
};
const labels = { app: "web" };
const set = {
  apiVersion: "apps/v1",
  kind: "ReplicaSet",
  metadata: { name: "web" },
  spec: {
    replicas: 1,
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [{ name: "main", image: "registry.example.test/main:1" }] } },
  },
};

/** Resolves to the uid of the ReplicaSet when it is another one than before. */
async function untilAnew(namespace: string, before?: string): Promise<string | undefined> {
  return await waitFor(async () => {
    const found = await bench.fixture.targetClient.find(sets, { namespace, name: "web" });
    return found?.metadata.uid === before ? undefined : found?.metadata.uid;
  });
}

async function becomeReady(namespace: string): Promise<void> {
  const body = { status: { observedGeneration: 1, replicas: 1, readyReplicas: 1 } };
  const patch = { type: "merge", body, subresource: "status" } as const;
  await bench.fixture.targetClient.patch(sets, { namespace, name: "web" }, patch);
}

describe.each([
  ["a release", {}],
  ["manifests", { helmDeployment: false }],
])("a job of %s that waits re-creates what is removed", (_what, config) => {
  it("a workload once, and fails when it is removed again", async () => {
    const chart = await rawChart({ "templates/set.yaml": JSON.stringify(set) });
    await bench.create({ chart, ...config });
    await bench.waitForWords(`readiness of ReplicaSet ${bench.namespace}/web: `);
    const first = await untilAnew(bench.namespace);
    const key = { namespace: bench.namespace, name: "web" };
    await bench.fixture.targetClient.delete(sets, key);
    await untilAnew(bench.namespace, first);
    await bench.fixture.targetClient.delete(sets, key);
    const { status } = await bench.scope.waitForEnd("item");
    expect([status?.phase, status?.lastError?.reason]).toEqual(["Failed", "TargetObjectLost"]);
    expect(status?.lastError?.message).toContain(`ReplicaSet ${bench.namespace}/web was removed twice during the job`);
  });

  it("the namespace, with all that was in it", async () => {
    const chart = await rawChart({ "templates/set.yaml": JSON.stringify(set) });
    const namespace = `${bench.namespace}-own`;
    await bench.create({ chart, namespace, createNamespace: true, ...config });
    await bench.waitForWords(`readiness of ReplicaSet ${namespace}/web: `);
    const first = await untilAnew(namespace);
    await bench.fixture.targetClient.delete(kubeResources.namespace, { name: namespace });
    await untilAnew(namespace, first);
    await becomeReady(namespace);
    const { status } = await bench.scope.waitForEnd("item");
    expect([status?.phase, status?.lastError]).toEqual(["Succeeded", undefined]);
  });
});
