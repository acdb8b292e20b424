// Deletes Environments whose deployers still serve DeployItems: docs/reference/deployer-management.md#items-remain
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import {
  annotations,
  apiVersion,
  conditionTypes,
  kubernetesClusterTargetType,
  resources,
  type Condition,
  type DeployItem,
  type Environment,
} from "@landscaper/api";
import {
  startEmbeddedCluster,
  startTestDeployer,
  waitFor,
  type EmbeddedCluster,
  type TestDeployer,
  type TestNamespace,
} from "@landscaper/testkit";
import { startTestCore, type TestCore } from "../../test/core.ts";
import { environment, managementSettings, registration } from "../../test/deployer-management.ts";

let cluster: EmbeddedCluster;
let core: TestCore;
let deployer: TestDeployer;
let management: TestNamespace;

beforeAll(async () => {
  cluster = await startEmbeddedCluster({ crds: true });
  management = await cluster.createNamespace("ls-system");
  core = startTestCore(cluster.connect("core"), { deployerManagement: managementSettings });
  // Installs the deployers of the Environments.
  deployer = startTestDeployer(cluster.connect("deployer"));
});
afterAll(async () => {
  await Promise.all([core.stop(), deployer.stop()]);
  await cluster.stop();
});

const findEnvironment = (name: string): Promise<Environment | undefined> =>
  cluster.client.find(resources.environment, { name });
async function remainOf(name: string): Promise<Condition | undefined> {
  return (await findEnvironment(name))?.status?.conditions?.find(({ type }) => type === conditionTypes.itemsRemain);
}

/** An Environment with a deployer, and items that only it serves, in a namespace of the same name. */
async function serve(name: string, items: readonly string[]): Promise<TestNamespace> {
  const namespace = await cluster.createNamespace(name);
  await cluster.client.create(resources.environment, { ...environment(name), metadata: { name } });
  const marks = { [annotations.environment]: name };
  await namespace.create(resources.target, {
    apiVersion,
    kind: "Target",
    metadata: { name: "cluster", annotations: marks },
    spec: { type: kubernetesClusterTargetType, config: {} },
  });
  for (const item of items) {
    await namespace.create(resources.deployItem, {
      apiVersion,
      kind: "DeployItem",
      metadata: { name: item },
      spec: { type: "test/served", target: { name: "cluster", namespace: name } },
    });
    await namespace.until(
      resources.deployItem,
      item,
      (found) => found?.metadata.annotations?.[annotations.environments] === name,
    );
  }
  await waitFor(async () => (await findEnvironment(name))?.status?.succeeded === "1/1", {
    describe: async () => JSON.stringify(await findEnvironment(name)),
  });
  return namespace;
}

describe("the deletion of an Environment", () => {
  beforeAll(async () => {
    await cluster.client.create(resources.deployerRegistration, registration("one"));
  });

  it("waits until no DeployItem remains that only this Environment serves", async () => {
    const namespace = await serve("patient", ["web", "db"]);
    await cluster.client.delete(resources.environment, { name: "patient" });
    const condition = await waitFor(async () => {
      const found = await remainOf("patient");
      return found?.message.includes("2 DeployItems") === true ? found : undefined;
    });
    expect(condition).toMatchObject({ status: "True", reason: "ItemsRemain" });
    expect(condition.message).toBe(
      `no Environment that stays serves 2 DeployItems: patient/db, patient/web. Delete their Installations, or annotate the Environment with ${annotations.abandonItems}=patient to leave their objects behind.`,
    );
    await namespace.delete(resources.deployItem, "db");
    await waitFor(async () => (await remainOf("patient"))?.message.includes("1 DeployItem: patient/web") === true);
    expect(await management.find(resources.installation, "one-patient")).toMatchObject({
      metadata: { name: "one-patient" },
    });
    await namespace.delete(resources.deployItem, "web");
    await waitFor(async () => (await findEnvironment("patient")) === undefined);
    expect(await management.find(resources.installation, "one-patient")).toBeUndefined();
  });

  it("waits until no DeployItem without a Target remains that its deployers have worked on", async () => {
    const namespace = await serve("targetless", []);
    const metadata = { name: "free" };
    await namespace.create(resources.deployItem, {
      apiVersion,
      kind: "DeployItem",
      metadata,
      spec: { type: "test/served" },
    });
    const item = await namespace.until(
      resources.deployItem,
      "free",
      (found) => found?.metadata.annotations?.[annotations.environments] === "*",
    );
    if (item === undefined) throw new Error("no item");
    const deployer = { identity: "one-targetless/pod", name: "d", version: "v1" };
    await namespace.client.updateStatus(resources.deployItem, { ...item, status: { observedGeneration: 1, deployer } });
    await cluster.client.delete(resources.environment, { name: "targetless" });
    await waitFor(async () => (await remainOf("targetless"))?.message.includes("targetless/free") === true);
    await namespace.delete(resources.deployItem, "free");
    await waitFor(async () => (await findEnvironment("targetless")) === undefined);
  });

  it("uninstalls the deployers and then fails the items if the annotation abandons them", async () => {
    const namespace = await serve("hasty", ["web"]);
    const item = await namespace.get(resources.deployItem, "web");
    const status: DeployItem["status"] = { observedGeneration: 1, jobID: "1", jobIDFinished: "1", phase: "Succeeded" };
    await namespace.client.updateStatus(resources.deployItem, { ...item, status });
    const body = { metadata: { annotations: { [annotations.abandonItems]: "hasty" } } };
    await cluster.client.patch(resources.environment, { name: "hasty" }, { type: "merge", body });
    await cluster.client.delete(resources.environment, { name: "hasty" });
    const failed = await namespace.until(resources.deployItem, "web", (found) => found?.status?.phase === "Failed");
    expect(await management.find(resources.installation, "one-hasty")).toBeUndefined();
    expect(failed?.status).toMatchObject({
      jobID: "1",
      jobIDFinished: "1",
      lastError: { reason: "EnvironmentRemoved", operation: "RemoveEnvironment" },
    });
    await waitFor(async () => (await findEnvironment("hasty")) === undefined);
  });
});
