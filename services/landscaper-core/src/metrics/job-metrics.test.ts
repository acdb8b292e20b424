import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { resources } from "@landscaper/api";
import { createMetrics, type Metrics } from "@landscaper/controller-runtime";
import {
  startEmbeddedCluster,
  startTestDeployer,
  waitFor,
  type EmbeddedCluster,
  type TestDeployer,
} from "@landscaper/testkit";
import { startTestCore, type TestCore } from "../../test/core.ts";
import { deployItems, installation } from "../../test/objects.ts";

let cluster: EmbeddedCluster;
let deployer: TestDeployer;
let core: TestCore;
let metrics: Metrics;
beforeAll(async () => {
  cluster = await startEmbeddedCluster({ crds: true });
  metrics = await createMetrics();
  core = startTestCore(cluster.connect("core"), { metrics: metrics.define });
  deployer = startTestDeployer(cluster.connect("deployer"));
});
afterAll(async () => {
  await Promise.all([core?.stop(), deployer?.stop()]);
  await cluster?.stop();
});

const linesOf = async (name: string): Promise<readonly string[]> =>
  (await metrics.render()).text.split("\n").filter((line) => line.startsWith(`${name}{`));

it("jobs that end, succeed, fail and delete are counted, and their Installations by phase", async () => {
  const namespace = await cluster.createNamespace("metrics");
  const create = async (name: string, result?: "Failed"): Promise<void> => {
    const deploy = deployItems({ name: "item", ...(result === undefined ? {} : { result, message: "no quota" }) });
    await namespace.create(resources.installation, installation({ name, blueprint: { deploy } }));
  };
  await create("good");
  await create("bad", "Failed");
  await namespace.untilPhase("good", "Succeeded");
  await namespace.untilPhase("bad", "Failed");
  expect((await linesOf("landscaper_job_duration_seconds_count")).toSorted()).toEqual([
    'landscaper_job_duration_seconds_count{kind="Execution",result="Failed"} 1',
    'landscaper_job_duration_seconds_count{kind="Execution",result="Succeeded"} 1',
    'landscaper_job_duration_seconds_count{kind="Installation",result="Failed"} 1',
    'landscaper_job_duration_seconds_count{kind="Installation",result="Succeeded"} 1',
  ]);
  const failures = (await linesOf("landscaper_job_failures_total")).map((line) => /kind="(\w+)"/.exec(line)?.[1]);
  expect(new Set(failures)).toEqual(new Set(["Execution", "Installation"]));
  await waitFor(async () => (await linesOf("landscaper_installations")).length === 2);
  await namespace.delete(resources.installation, "good");
  await namespace.untilGone(resources.installation, "good");
  await waitFor(async () => (await linesOf("landscaper_installations")).length === 1);
  expect(await linesOf("landscaper_job_duration_seconds_count")).toContain(
    'landscaper_job_duration_seconds_count{kind="Installation",result="Succeeded"} 2',
  );
});
