import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { kubeResources, resources, type DataObject } from "@landscaper/api";
import { startEmbeddedCluster, type EmbeddedCluster } from "./embedded-cluster.ts";
import { openNamespace, type TestNamespace } from "./test-namespace.ts";

let cluster: EmbeddedCluster;
let namespace: TestNamespace;
beforeAll(async () => {
  cluster = await startEmbeddedCluster({ crds: true });
  namespace = await cluster.createNamespace("n");
});
afterAll(() => cluster.stop());

const data: DataObject = {
  apiVersion: "landscaper.gardener.cloud/v1alpha1",
  kind: "DataObject",
  metadata: { name: "data" },
  data: 1,
};

describe("an embedded cluster", () => {
  it("serves Landscaper's kinds, and tells clients apart by their user agents", async () => {
    const agents: string[] = [];
    cluster.server.setFault(({ userAgent, resource }) => {
      if (resource === "dataobjects") agents.push(userAgent);
      return undefined;
    });
    await namespace.create(resources.dataObject, data);
    await cluster.connect("other").get(resources.dataObject, { namespace: "n", name: "data" });
    cluster.server.setFault(undefined);
    expect(agents).toEqual(["test", "other"]);
  });

  it("has no kinds of Landscaper unless they are asked for", async () => {
    const bare = await startEmbeddedCluster();
    const { items } = await bare.client.list(kubeResources.customResourceDefinition);
    await bare.stop();
    expect(items).toEqual([]);
  });
});

describe("a wait in a namespace", () => {
  it("resolves to the object when the condition holds, and to nothing when it is gone", async () => {
    await namespace.create(resources.dataObject, { ...data, metadata: { name: "short" } });
    const found = await namespace.until(resources.dataObject, "short", (object) => object !== undefined);
    expect(found?.data).toBe(1);
    await namespace.delete(resources.dataObject, "short");
    await namespace.untilGone(resources.dataObject, "short");
    expect(await namespace.find(resources.dataObject, "short")).toBeUndefined();
  });

  it("says what it last found when time is up, and what the test adds to it", async () => {
    const hasty = openNamespace(cluster.client, "n", { timeoutMs: 20, describe: () => Promise.resolve("logs: none") });
    await expect(hasty.until(resources.dataObject, "missing", (object) => object !== undefined)).rejects.toThrow(
      new Error("DataObject n/missing is not as expected after 0.02 s\n(no such object)\nlogs: none"),
    );
  });
});
