import { expect, it } from "@jest/globals";
import type { ResourceType, UnstructuredObject } from "@landscaper/api";
import { useHelmBench } from "../test/helm-bench.ts";
import { rawChart } from "../test/index.ts";

const bench = useHelmBench();

const type = (group: string, kind: string): ResourceType<UnstructuredObject> => ({
  group,
  version: "v1",
  kind,
  plural: `${kind.toLowerCase()}s`,
  namespaced: true,
});
const types = { sets: type("apps", "ReplicaSet"), pods: type("", "Pod") };
const labels = { app: "web" };
const spec = { containers: [{ name: "main", image: "registry.example.test/main:1" }] };
const set = {
  apiVersion: "apps/v1",
  kind: "ReplicaSet",
  metadata: { name: "web" },
  spec: { replicas: 1, selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
};

it.each([
  ["of a release", {}],
  ["of manifests", { helmDeployment: false }],
])("an item names what is wrong with the pods %s", async (_what, config) => {
  await bench.create({ chart: await rawChart({ "templates/set.yaml": JSON.stringify(set) }), ...config });
  const { targetClient } = bench.fixture;
  await bench.waitForWords(`readiness of ReplicaSet ${bench.namespace}/web: `);
  const { uid = "" } = (await bench.find(types.sets, "web"))?.metadata ?? {};
  const ownerReferences = [{ apiVersion: "apps/v1", kind: "ReplicaSet", name: "web", uid, controller: true }];
  const metadata = { name: "web-1", namespace: bench.namespace, labels, ownerReferences };
  await targetClient.create(types.pods, { apiVersion: "v1", kind: "Pod", metadata, spec });
  const container = { name: "main", image: "i", imageID: "", ready: false, restartCount: 0 };
  const state = { waiting: { reason: "ImagePullBackOff" } };
  const body = { status: { containerStatuses: [{ ...container, state }] } };
  const patch = { type: "merge", body, subresource: "status" } as const;
  await targetClient.patch(types.pods, { namespace: bench.namespace, name: "web-1" }, patch);
  await bench.waitForWords("; Pod web-1: container main: ImagePullBackOff");
  await bench.scope.interrupt("item");
  expect((await bench.scope.waitForEnd("item")).status?.phase).toBe("Failed");
});
