// Expressions of checks are compiled in a process of their own: once for a job, not in each of its passes.
import { afterEach, beforeEach, expect, it } from "@jest/globals";
import { HealthChecker } from "@landscaper/resources";
import { waitFor } from "@landscaper/testkit";
import { useHelmBench } from "../test/helm-bench.ts";
import { replicaSetChart, setStatus } from "../test/replica-set.ts";

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

it.each([
  ["a release", {}],
  ["manifests", { helmDeployment: false }],
])("compiles the checks of %s once for each spec of a job, not in each pass", async (_, config) => {
  const chart = await replicaSetChart();
  const checkedBy = (cel: string) => {
    const selector = { apiVersion: "apps/v1", kind: "ReplicaSet", name: "web", namespace: bench.namespace };
    return { chart, ...config, readinessChecks: { custom: [{ name: "set", resourceSelector: [selector], cel }] } };
  };
  await bench.create(checkedBy("status.readyReplicas == 1"));
  await bench.waitForWords(`readiness of ReplicaSet ${bench.namespace}/web: `);
  await setStatus(bench, { observedGeneration: 1, replicas: 1 });
  await bench.waitForWords("0 of 1 replicas ready");
  expect(compiled).toEqual([["status.readyReplicas == 1"]]);
  await bench.change(checkedBy("status.readyReplicas > 0"));
  await waitFor(() => compiled.length > 1);
  await setStatus(bench, { observedGeneration: 1, replicas: 1, readyReplicas: 1, availableReplicas: 1 });
  expect((await bench.scope.waitForEnd("item")).status?.phase).toBe("Succeeded");
  expect(compiled).toEqual([["status.readyReplicas == 1"], ["status.readyReplicas > 0"]]);
});
