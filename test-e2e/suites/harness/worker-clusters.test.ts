import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { describeUnless, waitFor } from "@landscaper/testkit";
import { kubeResources, resources } from "@landscaper/api";
import { startTestCluster, type TestCluster } from "../../src/clusters/test-cluster.ts";
import { parseClusterNames } from "../../src/clusters/selected-clusters.ts";

const isOurs = process.env["KUBECONFIG_E2E"] === undefined;
const isThere = isOurs && parseClusterNames(process.env["E2E_CLUSTERS"]).includes("real");
/** The state of a process by Linux: "T" is stopped. */
function stateOf(pid: number): string | undefined {
  return /^State:\t(\w)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
}

const reason = isOurs ? "there is no real API server" : "a cluster of yours is not put back";

describeUnless(isThere ? undefined : reason, describe)("the real cluster of a test worker", () => {
  let first: TestCluster;
  let second: TestCluster;
  let between: readonly (string | undefined)[];
  beforeAll(async () => {
    first = await startTestCluster("real");
    const { client } = first;
    await client.create(kubeResources.namespace, { apiVersion: "v1", kind: "Namespace", metadata: { name: "left" } });
    await client.create(resources.target, {
      apiVersion: "landscaper.gardener.cloud/v1alpha1",
      kind: "Target",
      metadata: { name: "left", namespace: "left", finalizers: ["test/held"] },
      spec: { type: "test" },
    });
    const crd = await client.get(kubeResources.customResourceDefinition, {
      name: "targets.landscaper.gardener.cloud",
    });
    await client.update(kubeResources.customResourceDefinition, {
      ...crd,
      metadata: { ...crd.metadata, labels: { ...crd.metadata.labels, changed: "yes" } },
    });
    await first.stop();
    const states = (): readonly (string | undefined)[] => first.children.map(({ pid }) => stateOf(pid));
    await waitFor(() => states().every((state) => state === "T")).catch(() => undefined);
    between = states();
    second = await startTestCluster("real");
  });
  afterAll(async () => second.stop());

  it("is the same one for the next suite", () => {
    expect(second.url).toBe(first.url);
  });

  it("takes no processor time between suites", () => {
    expect(between).toEqual(["T", "T", "T"]);
  });

  it("has nothing of the suite before, held by a finalizer or not", async () => {
    expect(await second.client.find(kubeResources.namespace, { name: "left" })).toBeUndefined();
    expect(await second.client.find(resources.target, { namespace: "left", name: "left" })).toBeUndefined();
  });

  it("has what the suite before has changed as it was", async () => {
    const crd = await second.client.get(kubeResources.customResourceDefinition, {
      name: "targets.landscaper.gardener.cloud",
    });
    expect(crd.metadata.labels?.["changed"]).toBeUndefined();
  });

  it("takes writes", async () => {
    const metadata = { name: "left" };
    await second.client.create(kubeResources.namespace, { apiVersion: "v1", kind: "Namespace", metadata });
    await second.client.create(resources.target, {
      apiVersion: "landscaper.gardener.cloud/v1alpha1",
      kind: "Target",
      metadata: { name: "left", namespace: "left" },
      spec: { type: "test" },
    });
    expect(await second.client.find(resources.target, { namespace: "left", name: "left" })).toBeDefined();
  });
});
