// Hooks of charts that make no release, with a test that plays the controller of Jobs.
import { describe, expect, it } from "@jest/globals";
import { kubeResources, resources, type DeployItem, type KubeObject, type ResourceType } from "@landscaper/api";
import { mapChart, useHelmBench, type Config } from "../../test/helm-bench.ts";
import { helmSpec, rawChart, type ChartFiles } from "../../test/index.ts";

const bench = useHelmBench();
interface Job extends KubeObject {
  readonly status?: object;
}
const jobs: ResourceType<Job> = { group: "batch", version: "v1", kind: "Job", plural: "jobs", namespaced: true };

const job = (name: string, events: string): string => `apiVersion: batch/v1
kind: Job
metadata: { name: ${name}, annotations: { helm.sh/hook: "${events}" } }
spec: { template: { spec: { restartPolicy: Never, containers: [{ name: c, image: i }] } } }
`;
const withHooks: ChartFiles = {
  ...mapChart,
  "templates/before.yaml": job("before", "pre-install"),
  "templates/change.yaml": job("change", "pre-upgrade"),
  "templates/after.yaml": job("after", "post-install,post-upgrade"),
  "templates/farewell.yaml": job("farewell", "pre-delete"),
  "templates/gone.yaml": job("gone", "post-delete"),
};

/** Ends the Jobs that run, until `isOver`; returns their names with what was there of the manifests. */
async function playJobs(isOver: () => Promise<boolean>, condition = "Complete"): Promise<string[]> {
  const { targetClient } = bench.fixture;
  const time = "2026-01-01T00:00:00Z";
  const reached = condition === "Complete" ? "SuccessCriteriaMet" : "FailureTarget";
  const ran: string[] = [];
  while (!(await isOver())) {
    const { items } = await targetClient.list(jobs, { namespace: bench.namespace });
    for (const live of items.filter(({ status }) => Object.keys(status ?? {}).length === 0)) {
      ran.push(`${live.metadata.name} ${(await bench.data()) === undefined ? "without" : "with"} manifests`);
      const conditions = [reached, condition].map((type) => ({
        type,
        status: "True",
        reason: "Played",
        lastTransitionTime: time,
      }));
      const ended = condition === "Complete" ? { succeeded: 1, completionTime: time } : { failed: 1 };
      await targetClient.updateStatus(jobs, { ...live, status: { startTime: time, ...ended, conditions } });
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return ran;
}

async function isEnded(): Promise<boolean> {
  const { status } = await bench.scope.get("item");
  return status?.jobID !== undefined && status.jobID === status.jobIDFinished;
}

async function storedHooks(): Promise<unknown> {
  return await bench.find(kubeResources.secret, "landscaper-hooks.app");
}

/** The item at the end of its job, and what ran. */
async function play(condition?: string): Promise<[DeployItem, string[]]> {
  const ran = await playJobs(isEnded, condition);
  return [await bench.scope.get("item"), ran];
}

async function change(config: Config): Promise<[DeployItem, string[]]> {
  await bench.scope.trigger("item", helmSpec(bench.namespace, config));
  return await play();
}

describe("hooks: run, without a release", () => {
  const config = { helmDeployment: false, hooks: "run" };

  it("run around the manifests of an install, an upgrade and the deletion", async () => {
    const chart = await rawChart(withHooks);
    await bench.create({ ...config, chart });
    const [installed, first] = await play();
    expect([installed.status?.phase, first]).toEqual([
      "Succeeded",
      ["before without manifests", "after with manifests"],
    ]);
    expect(installed.status?.providerStatus).toMatchObject({ hooks: { name: "app", namespace: bench.namespace } });
    const [upgraded, second] = await change({ ...config, chart, values: { key: "next" } });
    expect([upgraded.status?.phase, second]).toEqual(["Succeeded", ["change with manifests", "after with manifests"]]);
    await bench.scope.remove("item");
    const isGone = async (): Promise<boolean> =>
      (await bench.fixture.hubClient.find(resources.deployItem, { namespace: bench.namespace, name: "item" })) ===
      undefined;
    expect(await playJobs(isGone)).toEqual(["farewell with manifests", "gone without manifests"]);
    expect(await storedHooks()).toBeUndefined();
  });

  it("one that fails ends the job, and the manifests are not touched", async () => {
    await bench.create({ ...config, chart: await rawChart(withHooks) });
    const played = play("Failed");
    await bench.waitForError();
    await bench.timeOut();
    const [failed] = await played;
    expect(failed.status).toMatchObject({
      phase: "Failed",
      lastError: { message: expect.stringContaining(`pre-install hook Job ${bench.namespace}/before `) },
    });
    expect(await bench.data()).toBeUndefined();
  });

  it("are forgotten when they are not to run any more", async () => {
    const chart = await rawChart(withHooks);
    await bench.create({ ...config, chart });
    await play();
    expect(await storedHooks()).toBeDefined();
    const done = await bench.redeploy({ helmDeployment: false, hooks: "skip", chart });
    expect([done.status?.phase, await storedHooks()]).toEqual(["Succeeded", undefined]);
    expect(done.status?.providerStatus).not.toHaveProperty("hooks");
    await bench.remove();
  });

  it("become those of the release when the item makes one", async () => {
    const chart = await rawChart(withHooks);
    await bench.create({ ...config, chart });
    await play();
    const [done] = await change({ chart });
    expect([done.status?.phase, await storedHooks()]).toEqual(["Succeeded", undefined]);
    expect(await bench.revisions()).toEqual(["app.v1 deployed"]);
  });

  it("the namespace is made before them", async () => {
    const namespace = `${bench.namespace}-made`;
    const hook =
      "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: hook, annotations: { helm.sh/hook: pre-install } }\n";
    const chart = await rawChart({ ...mapChart, "templates/hook.yaml": hook });
    const done = await bench.deploy({ ...config, chart, namespace, createNamespace: true });
    expect([done.status?.phase, done.status?.lastError?.message]).toEqual(["Succeeded", undefined]);
    const key = { namespace, name: "hook" };
    expect(await bench.fixture.targetClient.find(kubeResources.configMap, key)).toBeDefined();
  });
});
