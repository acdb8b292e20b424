// A chart with one workload. Tests write its status, as the controller of a real cluster does.
import type { ResourceType, UnstructuredObject } from "@landscaper/api";
import type { HelmBench } from "./helm-bench.ts";
import { rawChart } from "./index.ts";

export const replicaSets: ResourceType<UnstructuredObject> = {
  group: "apps",
  version: "v1",
  kind: "ReplicaSet",
  plural: "replicasets",
  namespaced: true,
};

const labels = { app: "web" };
const podSpec = { containers: [{ name: "main", image: "registry.example.test/main:1" }] };
const replicaSet = {
  apiVersion: "apps/v1",
  kind: "ReplicaSet",
  metadata: { name: "web" },
  spec: { replicas: 1, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: podSpec } },
};

/** Packs a chart with the ReplicaSet "web", as `chart` of a configuration. */
export async function replicaSetChart(): Promise<object> {
  return await rawChart({ "templates/set.yaml": JSON.stringify(replicaSet) });
}

/** Writes the status of the ReplicaSet "web". `namespace` defaults to that of the item. */
export async function setStatus(bench: HelmBench, status: object, namespace = bench.namespace): Promise<void> {
  const patch = { type: "merge", body: { status }, subresource: "status" } as const;
  await bench.fixture.targetClient.patch(replicaSets, { namespace, name: "web" }, patch);
}
