// Workloads of a release whose rollout users hold back.
import { expect, it } from "@jest/globals";
import { conditionTypes, type DeployItem } from "@landscaper/api";
import { rawChart } from "../../test/index.ts";
import { useHelmBench } from "../../test/helm-bench.ts";

const bench = useHelmBench();

const labels = { app: "web" };
const podSpec = { containers: [{ name: "main", image: "registry.example.test/main:1" }] };
const workload = (kind: string, spec: object): object => ({
  apiVersion: "apps/v1",
  kind,
  metadata: { name: "web" },
  spec: { replicas: 1, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: podSpec }, ...spec },
});
const paused = workload("Deployment", { paused: true });
const onDelete = workload("StatefulSet", { serviceName: "web", updateStrategy: { type: "OnDelete" } });

function warningsOf({ status }: DeployItem): string {
  return status?.conditions?.find(({ type }) => type === conditionTypes.warnings)?.message ?? "";
}

it.each([
  [
    "a paused Deployment",
    {},
    paused,
    "Deployment NAMESPACE/web: it is paused; set spec.paused to false to roll it out",
  ],
  ["a StatefulSet with OnDelete", {}, onDelete, "StatefulSet NAMESPACE/web: its update strategy is OnDelete; delete"],
  ["a paused Deployment with level kstatus", { level: "kstatus" }, paused, "Deployment NAMESPACE/web: it is paused;"],
])("a job does not wait for %s, and warns", async (...[, readinessChecks, object, words]) => {
  const chart = await rawChart({ "templates/web.yaml": JSON.stringify(object) });
  const done = await bench.deploy({ chart, readinessChecks });
  expect(done.status?.phase).toBe("Succeeded");
  const warnings = warningsOf(done);
  // The namespace may derive from secrets: the item does not say where its configuration is from.
  expect(warnings.replace("[...]", "NAMESPACE")).toContain(words);
  expect(warnings).toContain("the job has not waited for its Pods");
});
