import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { agentFinalizer, annotations, apiVersion, operations, resources } from "@landscaper/api";
import { waitFor } from "@landscaper/testkit";
import { startTestCluster, type TestCluster } from "../../test/cluster.ts";
import { environment, putDeployer, putEnvironment, putFleet, putFleetDeployers } from "../../test/fleet.ts";
import { ended } from "../../test/objects.ts";
import { runProgram } from "../../test/program.ts";

let cluster: TestCluster;
beforeAll(async () => {
  cluster = await startTestCluster("ls-system", Date.parse("2026-01-01T00:00:00Z"));
});
afterAll(() => cluster.stop());

const landscaper = (words: string) => runProgram([...words.split(" "), "--kubeconfig", cluster.kubeconfig]);

describe("without Environments", () => {
  it("says so", async () => {
    expect(await landscaper("environments list")).toMatchObject({
      exitCode: 1,
      stderr: "error: there are no Environments\n",
    });
    expect(await landscaper("deployers")).toMatchObject({
      exitCode: 1,
      stderr: "error: there are no DeployerRegistrations\n",
    });
    expect(await landscaper("environments why nowhere")).toMatchObject({
      exitCode: 1,
      stderr: 'error: there is no Environment "nowhere"\n',
    });
  });
});

describe("with a fleet", () => {
  beforeAll(async () => {
    await putFleet(cluster);
    await putFleetDeployers(cluster);
  });

  it("lists Environments", async () => {
    expect((await landscaper("environments list")).stdout).toBe(
      [
        "NAME   PHASE                  DEPLOYERS  REACHABLE  HEARTBEAT  AGE  ERROR",
        "quiet  Succeeded (suspended)  3/3        True       42s        10m",
        "shops  Failed                 1/3        False      6m         10m",
        "",
      ].join("\n"),
    );
  });

  it("lists them for programs", async () => {
    const { stdout } = await landscaper("environments list -o json");
    expect(JSON.parse(stdout)).toMatchObject([
      { name: "quiet", phase: "Succeeded", suspended: true, deployers: [] },
      {
        name: "shops",
        suspended: false,
        reachable: "False",
        heartbeat: "2026-01-01T00:04:00Z",
        agentVersion: "v1.1.0",
        clusterVersion: null,
        error: null,
        deployers: [
          { name: "helm-shops", phase: "Failed", version: "v1.1.0", message: "no such chart" },
          { name: "manifest-shops", message: null },
          { name: "mock-shops", version: null, waitsFor: ["landscaper.gardener.cloud/helm"] },
        ],
      },
    ]);
    expect(await landscaper("environments list -o yaml")).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('-o: expected text or json, found "yaml"'),
    });
  });

  it("draws one with its deployers", async () => {
    expect((await landscaper("environments tree shops")).stdout).toBe(
      [
        "Environment shops                  Failed       10m",
        "├─ Deployer helm-shops v1.1.0      Failed",
        "│    ! no such chart",
        "├─ Deployer manifest-shops v1.0.0  Succeeded",
        "└─ Deployer mock-shops             Progressing",
        "     ! waits for deployers of landscaper.gardener.cloud/helm",
        "",
      ].join("\n"),
    );
  });

  it("says why an Environment is not ready, down to its Installations", async () => {
    expect((await landscaper("environments why shops")).stdout).toBe(
      [
        "Environment shops (Failed): deployers that have failed: helm-shops",
        "  Deployer helm-shops (Failed): no such chart",
        "    Installation helm-shops (Failed): no such chart",
        "      hint: Correct the chart, or the values that it refuses.",
        "  Deployer mock-shops (Progressing): its Installation is in work",
        "    Installation mock-shops (Progressing): is in phase Progressing for 3m",
        "",
      ].join("\n"),
    );
  });

  it("lists deployers with how far a change has gone out", async () => {
    expect((await landscaper("deployers")).stdout).toBe(
      [
        "NAME  VERSION  ENVIRONMENTS  SUCCEEDED  PROGRESSING  FAILED  UPDATED  WAITS FOR",
        "helm  v1.1.0   12            10         1            1       2        Environments in work: shops",
        "",
      ].join("\n"),
    );
    const { stdout } = await landscaper("deployers -o json");
    expect(JSON.parse(stdout)).toMatchObject([{ name: "helm", version: "v1.1.0", rollout: { updated: 2 } }]);
  });
});

it("shows an agent with a wrong clock, and when the core saw its last renewal", async () => {
  const message = "the clock of the agent is about 15m behind. Correct the clock that is wrong.";
  const times = { lastTransitionTime: "2026-01-01T00:00:00Z", lastUpdateTime: "2026-01-01T00:00:00Z" };
  const conditionOf = (type: string, text: string) => ({ type, status: "True", reason: "R", message: text, ...times });
  const behind = environment("behind", {
    phase: "Succeeded",
    succeeded: "0/0",
    conditions: [
      conditionOf("Ready", "all deployers have succeeded"),
      conditionOf("Reachable", "alive"),
      conditionOf("AgentClockDiffers", message),
    ],
    lastHeartbeatTime: "2025-12-31T23:54:18Z",
    lastHeartbeatSeenTime: "2026-01-01T00:09:18Z",
  });
  await putEnvironment(cluster, behind);
  expect((await landscaper("environments list")).stdout).toMatch(
    /^behind +Succeeded +0\/0 +True +42s +10m +warning: the clocks of agent and core differ$/m,
  );
  expect((await landscaper("environments why behind")).stdout).toBe(
    `Environment behind (Succeeded): all deployers have succeeded\n  hint: ${message}\n`,
  );
  const { stdout } = await landscaper("environments list -o json");
  expect((JSON.parse(stdout) as readonly object[]).find((one) => "name" in one && one.name === "behind")).toMatchObject(
    {
      reachable: "True",
      heartbeat: "2025-12-31T23:54:18Z",
      heartbeatSeen: "2026-01-01T00:09:18Z",
      clockDiffers: message,
    },
  );
  await cluster.client.delete(resources.environment, { name: "behind" });
});

describe("forget", () => {
  const rest = [
    "stays behind on the cluster of Environment lost:",
    "  the deployer helm-lost in namespace deployers",
    "  its agent, with its accounts, roles and Secrets",
    "  what is deployed to Target ls-system/blog",
    "",
  ].join("\n");

  beforeAll(async () => {
    await putEnvironment(cluster, environment("lost"));
    await putDeployer(cluster, ["helm", "lost"], ended("Succeeded"));
    await cluster.put(resources.target, {
      apiVersion,
      kind: "Target",
      metadata: { name: "blog", annotations: { [annotations.environment]: "lost" } },
      spec: { type: "landscaper.gardener.cloud/kubernetes-cluster" },
    });
  });

  it("comes after why, which says that the core has not looked at the Environment", async () => {
    expect((await landscaper("environments why lost")).stdout).toBe(
      "Environment lost (not started): the core has not looked at it; is deployer management on?\n",
    );
  });

  it("only says what would stay behind", async () => {
    const { stdout } = await landscaper("environments forget lost");
    expect(stdout).toBe(`${rest}nothing is done without --yes\n`);
    const found = await cluster.client.get(resources.environment, { name: "lost" });
    expect(found.metadata.deletionTimestamp).toBeUndefined();
  });

  it("gives up when the core does not let go", async () => {
    const { stderr, exitCode } = await landscaper("environments forget lost --yes --timeout 300ms");
    expect(exitCode).toBe(1);
    expect(stderr).toContain("the core has not let go of Environment lost in 0.3 s");
    const left = await cluster.client.get(resources.installation, { namespace: "ls-system", name: "helm-lost" });
    expect(left.metadata.annotations).toMatchObject({ [annotations.deleteWithoutUninstall]: "true" });
  });

  it("interrupts a job that begins while it waits, and leaves behind a deployer that is created meanwhile", async () => {
    await putEnvironment(cluster, environment("busy"));
    await putDeployer(cluster, ["helm", "busy"], ended("Succeeded"));
    const installationKey = (name: string) => ({ namespace: "ls-system", name });
    const annotationsOf = async (name: string) =>
      (await cluster.client.get(resources.installation, installationKey(name))).metadata.annotations ?? {};
    const isDeleted = async (): Promise<boolean> =>
      (await cluster.client.get(resources.environment, { name: "busy" })).metadata.deletionTimestamp !== undefined;
    const meanwhile = (async () => {
      await waitFor(isDeleted);
      const found = await cluster.client.get(resources.installation, installationKey("helm-busy"));
      const status = { ...found.status, phase: "Progressing", jobID: "later" };
      await cluster.client.updateStatus(resources.installation, { ...found, status });
      await putDeployer(cluster, ["mock", "busy"], ended("Succeeded"));
      await waitFor(async () => (await annotationsOf("helm-busy"))[annotations.operation] === operations.interrupt);
      await waitFor(async () => (await annotationsOf("mock-busy"))[annotations.deleteWithoutUninstall] === "true");
      const body = { metadata: { finalizers: [agentFinalizer] } };
      await cluster.client.patch(resources.environment, { name: "busy" }, { type: "merge", body });
    })();
    const { exitCode } = await landscaper("environments forget busy --yes");
    await meanwhile;
    expect(exitCode).toBe(0);
  });

  it("deletes the Environment, waits for the core, and does what its agent cannot do", async () => {
    const key = { name: "lost" };
    // As the core does when everything that it has made is gone.
    const release = waitFor(async () => {
      const found = await cluster.client.find(resources.environment, key);
      if (found?.metadata.deletionTimestamp === undefined) return false;
      const body = { metadata: { finalizers: [agentFinalizer] } };
      await cluster.client.patch(resources.environment, key, { type: "merge", body });
      return true;
    });
    const { stdout, exitCode } = await landscaper("environments forget lost --yes");
    await release;
    expect([exitCode, stdout]).toEqual([0, `${rest}environment/lost forgotten\n`]);
    expect(await cluster.client.find(resources.environment, key)).toBeUndefined();
  });
});
