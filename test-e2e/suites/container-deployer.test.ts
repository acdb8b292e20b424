// The container deployer with the rights that it asks for, and no others, on every cluster: its Pods are played, and its requests are real.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import {
  containerDeployerConfigurationSchema,
  containerDeployerRights,
  containerHostRights,
  deployerApiVersion,
  kubeResources,
  resources,
  type ContainerDeployerConfiguration,
  type DeployItemSpec,
} from "@landscaper/api";
import { createContainerDeployer, readSettings } from "@landscaper/container-deployer-lib";
import { HostPods } from "@landscaper/container-deployer-lib/testing";
import { runDeployerService } from "@landscaper/deployer";
import { createDeployerScope, type DeployerScope } from "@landscaper/deployer/testing";
import { createKubeconfig, waitFor } from "@landscaper/testkit";
import type { Environment } from "../src/services/environment.ts";
import { startEnvironment } from "../src/services/environment.ts";
import { clustersUnderTest } from "../src/clusters/selected-clusters.ts";
import { createServiceAccounts, grantInNamespace } from "../src/clusters/service-accounts.ts";
import { harnessNamespace } from "../src/clusters/service-token.ts";

const account = { name: "container-deployer", chart: "container-deployer" };
const images = { init: "registry.example/init:1", wait: "registry.example/wait:1" };

/** Runs the process in this one. Returns how to stop it. */
async function startDeployer({ hub, client }: Environment, folder: string): Promise<() => Promise<void>> {
  const tokens = await createServiceAccounts(client, [account]);
  await grantInNamespace(client, harnessNamespace, [account]);
  const token = tokens.get(account.name) ?? "";
  const kubeconfig = join(folder, "kubeconfig");
  writeFileSync(kubeconfig, createKubeconfig({ name: "hub", server: hub.url, ca: hub.ca, user: { token } }));
  const config = join(folder, "config.yaml");
  writeFileSync(
    config,
    `namespace: ${harnessNamespace}\nidentity: e2e\ngarbageCollection: { requeueTimeSeconds: 1 }\n`,
  );
  const stopping = new AbortController();
  const running = runDeployerService(
    {
      configuration: containerDeployerConfigurationSchema,
      createDeployer: (configuration: ContainerDeployerConfiguration) =>
        createContainerDeployer(
          readSettings(configuration, { version: "v0.0.0-test", name: "container", images, environment: {} }),
        ),
      rights: containerDeployerRights,
      host: ({ namespace }) => ({ namespace, rights: containerHostRights }),
      argv: ["--kubeconfig", kubeconfig, "--config", config, "--lease-namespace", harnessNamespace, "-v", "silent"],
      env: {},
    },
    stopping.signal,
  );
  return async () => {
    stopping.abort(new Error("the test ends"));
    await running;
  };
}

const specOf = (namespace: string, importValues: object = { a: 1 }): DeployItemSpec => ({
  type: "landscaper.gardener.cloud/container",
  target: { name: "any", namespace },
  timeout: "3m",
  config: {
    apiVersion: deployerApiVersion("container"),
    kind: "ProviderConfiguration",
    image: "registry.example/program:1",
    importValues,
  },
});

describe.each(clustersUnderTest())("the container deployer on %s", (cluster) => {
  let environment: Environment;
  let host: HostPods;
  let scope: DeployerScope;
  let stop: () => Promise<void>;
  const folder = mkdtempSync(join(tmpdir(), "landscaper-e2e-container-"));
  beforeAll(async () => {
    environment = await startEnvironment({ cluster, services: [] });
    // In the namespace in which the account has its rights.
    host = new HostPods(environment.client, harnessNamespace);
    stop = await startDeployer(environment, folder);
    const { client: hubClient, targetKubeconfig } = environment;
    const { name: namespace } = await environment.namespace("container");
    scope = createDeployerScope({ hubClient, targetKubeconfig, namespace, timeoutMs: 60_000 });
    await scope.createTarget({ metadata: { name: "any" }, spec: { type: "example.org/any", config: { a: 1 } } });
  }, 180_000);
  afterAll(async () => {
    await stop();
    await environment.stop();
    rmSync(folder, { recursive: true });
  });

  it("runs a program once for each job, keeps its state, and takes it back at the deletion", async () => {
    await scope.create({ name: "item", spec: specOf(scope.namespace) });
    const first = await host.untilPod();
    expect(first.spec).not.toHaveProperty("schedulingGates");
    await host.finish(first, { exports: "a: 1", state: ["one", "two"] });
    const { status } = await scope.waitForEnd("item");
    expect([status?.phase, status?.lastError]).toEqual(["Succeeded", undefined]);
    const { exportRef } = status ?? {};
    expect(exportRef?.name).toBe("item-export");
    await scope.trigger("item");
    const second = await host.untilPod([first]);
    expect((await host.job(second)).state.restore?.chunks).toHaveLength(2);
    await host.finish(second, { main: { exitCode: 3, message: "it is over" }, state: ["three"] });
    expect((await scope.waitForEnd("item")).status?.lastError?.message).toContain("it is over");
    await waitFor(async () => (await host.pods()).length === 0);
    expect((await host.hostObjects()).filter((name) => name.startsWith("Secret state-"))).toHaveLength(1);
    await scope.remove("item");
    await host.finish(await host.untilPod([first, second]));
    await scope.waitUntilGone("item");
    expect(await host.hostObjects()).toEqual([]);
  });

  it("does not start a program before its Pod is recorded, and ends the job of one that is gone", async () => {
    await scope.create({ name: "lost", spec: specOf(scope.namespace) });
    const pod = await host.untilPod();
    const recorded = (await scope.get("lost")).status?.providerStatus?.["podStatus"];
    expect(recorded).toMatchObject({ podName: pod.metadata.name, podUID: pod.metadata.uid });
    const key = { namespace: harnessNamespace, name: pod.metadata.name ?? "" };
    await host.host.patch(kubeResources.pod, key, { type: "merge", body: { metadata: { finalizers: null } } });
    await host.host.delete(kubeResources.pod, key, { gracePeriodSeconds: 0 });
    expect((await scope.waitForEnd("lost")).status?.lastError?.reason).toBe("PodLost");
    expect(await host.pods()).toEqual([]);
  });

  it("removes what an item has left that goes without its finalizer", async () => {
    expect((await host.hostObjects()).length).toBeGreaterThan(0);
    const key = { namespace: scope.namespace, name: "lost" };
    const { client } = environment;
    await client.patch(resources.deployItem, key, { type: "merge", body: { metadata: { finalizers: null } } });
    await client.delete(resources.deployItem, key);
    await waitFor(async () => (await host.hostObjects()).length === 0);
  });
});
