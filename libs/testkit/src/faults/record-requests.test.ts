import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { kubeResources } from "@landscaper/api";
import { startEmbeddedCluster, type EmbeddedCluster } from "../clusters/embedded-cluster.ts";
import { isWrite, recordRequests } from "./record-requests.ts";

let cluster: EmbeddedCluster;
beforeAll(async () => {
  cluster = await startEmbeddedCluster();
});
afterAll(() => cluster.stop());

it("records the requests that match, with their subresources, until it is stopped", async () => {
  const type = kubeResources.configMap;
  const key = { namespace: "default", name: "a" };
  const record = recordRequests(cluster.server, ({ userAgent }) => userAgent === "seen");
  const seen = cluster.connect("seen");
  await seen.create(type, { apiVersion: "v1", kind: "ConfigMap", metadata: key });
  await cluster.client.get(type, key);
  const namespace = await seen.get(kubeResources.namespace, { name: "default" });
  await seen.updateStatus(kubeResources.namespace, namespace);
  expect(record.lines).toEqual(["create configmaps", "get namespaces", "update namespaces/status"]);
  expect(record.requests.filter(isWrite)).toHaveLength(2);
  record.forget();
  await seen.get(type, key);
  expect(record.lines).toEqual(["get configmaps"]);
  record.stop();
  await seen.get(type, key);
  expect(record.lines).toEqual(["get configmaps"]);
});
