// Items that wait for the objects of their release, on targets that may or may not be watched.
import { describe, expect, it } from "@jest/globals";
import type { ResourceType } from "@landscaper/api";
import { rawChart } from "../../test/index.ts";
import { useHelmBench } from "../../test/helm-bench.ts";

const bench = useHelmBench();

const jobType: ResourceType = { group: "batch", version: "v1", kind: "Job", plural: "jobs", namespaced: true };
const podSpec = { restartPolicy: "Never", containers: [{ name: "main", image: "registry.example.test/main:1" }] };
const job = {
  apiVersion: "batch/v1",
  kind: "Job",
  metadata: { name: "import" },
  spec: { template: { spec: podSpec } },
};
const time = "2026-01-01T00:00:00Z";
const condition = (type: string): object => ({
  type,
  status: "True",
  reason: "BackoffLimitExceeded",
  lastTransitionTime: time,
});
const failed = { startTime: time, failed: 1, conditions: [condition("FailureTarget"), condition("Failed")] };
describe("an item that waits by watcher", () => {
  it.each([
    ["watched", false],
    ["polled, because its user may not watch it", true],
  ])("ends before its timeout when a Job fails that is %s", async (_what, isRefused) => {
    let refusals = 0;
    // Users without the right to watch may not list either.
    bench.fixture.target.setFault(({ verb, resource }) => {
      if (!isRefused || resource !== "jobs" || (verb !== "watch" && verb !== "list")) return undefined;
      refusals++;
      return { status: 403 };
    });
    const chart = await rawChart({ "templates/import.yaml": JSON.stringify(job) });
    const install = { wait: true, waitStrategy: "watcher", waitForJobs: true };
    await bench.create({ chart, helmDeploymentConfig: { install } });
    await bench.waitForWords(`Job ${bench.namespace}/import: 0 of 1 completions`);
    const key = { namespace: bench.namespace, name: "import" };
    const body = { status: failed };
    await bench.fixture.targetClient.patch(jobType, key, { type: "merge", body, subresource: "status" });
    const { status } = await bench.scope.waitForEnd("item");
    expect([status?.phase, refusals > 0]).toEqual(["Failed", isRefused]);
    expect(status?.lastError).toMatchObject({ reason: "ResourceFailed" });
    expect(status?.lastError?.message).toMatch(
      /templates\/import\.yaml: Job .*\/import: has failed \(BackoffLimitExceeded\).*correct what the status/s,
    );
  });
});
