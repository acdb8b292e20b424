// Expressions of checks are compiled in a process of their own: once for a job, not in each of its passes.
import { afterEach, beforeEach, expect, it } from "@jest/globals";
import type { ResourceType, UnstructuredObject } from "@landscaper/api";
import { HealthChecker } from "@landscaper/resources";
import { waitFor } from "@landscaper/testkit";
import { useHelmBench } from "../test/helm-bench.ts";
import { rawChart } from "../test/index.ts";

const bench = useHelmBench();
/** Expressions of each compilation. */
let compiled: string[][] = [];
const compile: HealthChecker["compile"] = Reflect.get(HealthChecker.prototype, "compile");
beforeEach(() => {
  compiled = [];
  HealthChecker.prototype.compile = async function (expressions, options) {
    compiled.push(expressions.map(([, expression]) => expression));
    await compile.call(this, expressions, options);
  };
});
afterEach(() => {
  HealthChecker.prototype.compile = compile;
});

const sets: ResourceType<UnstructuredObject> = {
  group: "apps",
  version: "v1",
  kind: "ReplicaSet",
  plural: "replicasets",
  namespaced: true,
};
const labels = { app: "web" };
const podSpec = { containers: [{ name: "main", image: "registry.example.test/main:1" }] };
const set = {
  apiVersion: "apps/v1",
  kind: "ReplicaSet",
  metadata: { name: "web" },
  spec: { replicas: 1, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: podSpec } },
};

async function setStatus(status: object): Promise<void> {
  const patch = { type: "merge", body: { status }, subresource: "status" } as const;
  await bench.fixture.targetClient.patch(sets, { namespace: bench.namespace, name: "web" }, patch);
}

it.each([
  ["a release", {}],
  ["manifests", { helmDeployment: false }],
])("compiles the checks of %s once for each spec of a job, not in each pass", async (_, config) => {
  const chart = await rawChart({ "templates/set.yaml": JSON.stringify(set) });
  const checkedBy = (cel: string) => {
    const selector = { apiVersion: "apps/v1", kind: "ReplicaSet", name: "web", namespace: bench.namespace };
    return { chart, ...config, readinessChecks: { custom: [{ name: "set", resourceSelector: [selector], cel }] } };
  };
  await bench.create(checkedBy("status.readyReplicas == 1"));
  await bench.waitForWords(`readiness of ReplicaSet ${bench.namespace}/web: `);
  await setStatus({ observedGeneration: 1, replicas: 1 });
  await bench.waitForWords("0 of 1 replicas ready");
  expect(compiled).toEqual([["status.readyReplicas == 1"]]);
  await bench.change(checkedBy("status.readyReplicas > 0"));
  await waitFor(() => compiled.length > 1);
  await setStatus({ observedGeneration: 1, replicas: 1, readyReplicas: 1, availableReplicas: 1 });
  expect((await bench.scope.waitForEnd("item")).status?.phase).toBe("Succeeded");
  expect(compiled).toEqual([["status.readyReplicas == 1"], ["status.readyReplicas > 0"]]);
});
