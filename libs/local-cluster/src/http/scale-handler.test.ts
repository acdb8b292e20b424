import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { LocalCluster } from "../cluster/local-cluster.ts";
import { startLocalCluster } from "../cluster/start-local-cluster.ts";
import { fieldAt, stringAt } from "../objects/json.ts";
import { type TestApi, createTestApi } from "@landscaper/testkit";

const at = "/apis/apps/v1/namespaces/default/deployments";

describe("the scale subresource", () => {
  let cluster: LocalCluster;
  let api: TestApi;
  beforeAll(async () => {
    cluster = await startLocalCluster();
    api = createTestApi(cluster);
    await api.post(at, {
      metadata: { name: "d" },
      spec: {
        replicas: 2,
        selector: { matchLabels: { a: "b" }, matchExpressions: [{ key: "c", operator: "Exists" }] },
        template: { metadata: { labels: { a: "b", c: "" } }, spec: { containers: [{ name: "c", image: "x:1" }] } },
      },
    });
  });
  afterAll(() => cluster.stop());

  it("shows replicas and selector", async () => {
    const { body } = await api.get(`${at}/d/scale`);
    expect(body).toMatchObject({
      kind: "Scale",
      apiVersion: "autoscaling/v1",
      spec: { replicas: 2 },
      status: { replicas: 0, selector: "a=b,c" },
    });
  });

  it("changes the replicas by PUT and by both JSON patches", async () => {
    const replicas = async () => fieldAt((await api.get(`${at}/d`)).body, "spec", "replicas");
    await api.put(`${at}/d/scale`, { metadata: { name: "d" }, spec: { replicas: 3 } });
    expect(await replicas()).toBe(3);
    await api.patch(`${at}/d/scale`, { spec: { replicas: 4 } });
    expect(await replicas()).toBe(4);
    const operations = [{ op: "replace", path: "/spec/replicas", value: 5 }];
    await api.patch(`${at}/d/scale`, operations, "application/json-patch+json");
    expect(await replicas()).toBe(5);
  });

  it("is guarded by the revision and by the workload's rules", async () => {
    const stale = await api.put(`${at}/d/scale`, {
      metadata: { name: "d", resourceVersion: "1" },
      spec: { replicas: 9 },
    });
    const negative = await api.put(`${at}/d/scale`, { metadata: { name: "d" }, spec: { replicas: -1 } });
    expect([stale.code, stringAt(negative.body, "message")]).toEqual([
      409,
      'Deployment.apps "d" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0',
    ]);
  });

  it("is only there where the workload is", async () => {
    expect((await api.get(`${at}/none/scale`)).code).toBe(404);
    expect((await api.delete(`${at}/d/scale`)).code).toBe(405);
    expect((await api.get("/apis/apps/v1/namespaces/default/daemonsets/d/scale")).code).toBe(404);
  });
});
