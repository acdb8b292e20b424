// What a deployer may do on the landscaper cluster, with the core under the rights that it asks for and no others.
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { deployerRoleName, kubeResources, resources } from "@landscaper/api";
import {
  connectionFromKubeconfig,
  createClient,
  createSystemClock,
  isForbidden,
  type Client,
  type Clock,
} from "@landscaper/controller-runtime";
import { createSealingKeys, unsealTokens } from "@landscaper/deployer";
import {
  startEmbeddedCluster,
  startTestDeployer,
  waitFor,
  type EmbeddedCluster,
  type TestDeployer,
  type TestNamespace,
} from "@landscaper/testkit";
import { connectionOf, grantCoreRights } from "../../../test/core-rights.ts";
import { startTestCore, type TestCore } from "../../../test/core.ts";
import { environment, managementSettings, registration } from "../../../test/deployer-management.ts";
import { readDeployerToken } from "../deployer-target.ts";

const day = 86_400_000;
let offsetMs = 0;
const system = createSystemClock();
/** The system's clock, set forward. */
const clock: Clock = {
  ...system,
  now: () => system.now() + offsetMs,
  elapsed: () => system.elapsed() + offsetMs,
};

let cluster: EmbeddedCluster;
let core: TestCore;
let deployer: TestDeployer;
let namespace: TestNamespace;
const clients: Client[] = [];

function clientOf(kubeconfig: string): Client {
  const client = createClient({ connection: connectionFromKubeconfig(kubeconfig), userAgent: "limited" });
  clients.push(client);
  return client;
}

beforeAll(async () => {
  cluster = await startEmbeddedCluster({ crds: true, authorization: "rbac", clock });
  namespace = await cluster.createNamespace("ls-system");
  const kubeconfig = await grantCoreRights(cluster);
  const coreClient = clientOf(kubeconfig);
  core = startTestCore(coreClient, { deployerManagement: managementSettings, clock });
  deployer = startTestDeployer(cluster.connect("deployer"));
  const landscaperClusterConfig = connectionOf(cluster);
  await cluster.client.create(resources.environment, environment("env", { landscaperClusterConfig }));
  await cluster.client.create(resources.deployerRegistration, registration("mock"));
  await untilReady();
});
afterAll(async () => {
  await Promise.all([core.stop(), deployer.stop()]);
  await Promise.all(clients.map((client) => client.close()));
  await cluster.stop();
});

async function untilReady(): Promise<void> {
  await waitFor(
    async () => (await cluster.client.get(resources.environment, { name: "env" })).status?.phase === "Succeeded",
  );
}

async function deployerKubeconfig(): Promise<string> {
  const { spec } = await namespace.get(resources.target, "mock-env");
  return String(Reflect.get(Object(spec.config), "kubeconfig"));
}

async function isRefused(request: Promise<unknown>): Promise<boolean> {
  try {
    await request;
    return false;
  } catch (error) {
    if (isForbidden(error)) return true;
    throw error;
  }
}

describe("the account of a deployer", () => {
  it("may do what deployers do, by the kubeconfig of its Target", async () => {
    const client = clientOf(await deployerKubeconfig());
    const { items } = await client.list(resources.deployItem);
    expect(items).toHaveLength(1);
    const targets = (await client.list(resources.target)).items.map(({ metadata }) => metadata.name);
    expect(targets).toEqual(expect.arrayContaining(["env", "mock-env"]));
    expect((await client.list(kubeResources.lease, { namespace: "ls-system" })).items).toEqual([]);
    const key = { namespace: "ls-system", name: "missing" };
    expect(await client.find(kubeResources.secret, key)).toBeUndefined();
  });

  it("may do no more", async () => {
    const client = clientOf(await deployerKubeconfig());
    const refused = await Promise.all([
      isRefused(client.list(kubeResources.secret, { namespace: "ls-system" })),
      isRefused(client.list(kubeResources.lease, { namespace: "default" })),
      isRefused(client.list(resources.environment)),
      isRefused(client.list(resources.deployerRegistration)),
      isRefused(client.list(resources.installation)),
      isRefused(client.delete(kubeResources.clusterRoleBinding, { name: "mock-env" })),
    ]);
    expect(refused).toEqual([true, true, true, true, true, true]);
  });

  it("gets another token, and a job that hands it on, when half of the life of the first is over", async () => {
    const { status: before } = await namespace.get(resources.installation, "mock-env");
    const first = readDeployerToken(await namespace.get(resources.target, "mock-env"));
    offsetMs = 8 * day;
    const body = { metadata: { labels: { touched: "true" } } };
    await cluster.client.patch(resources.environment, { name: "env" }, { type: "merge", body });
    await namespace.until(resources.target, "mock-env", (target) => readDeployerToken(target) !== first);
    await namespace.until(
      resources.installation,
      "mock-env",
      ({ status } = {} as never) => status?.jobIDFinished !== before?.jobID && status?.phase === "Succeeded",
    );
    // The first one still lives: it is not taken away before the deployer has the next.
    const old = createTokenClient(first ?? "");
    expect((await old.list(resources.deployItem)).items).toHaveLength(1);
    offsetMs = 15 * day;
    await expect(old.list(resources.deployItem)).rejects.toThrow("401");
    const renewed = clientOf(await deployerKubeconfig());
    expect((await renewed.list(resources.deployItem)).items).toHaveLength(1);
  });

  it("gets a new account and another token if its account was deleted, as after a leak", async () => {
    const before = await deployerKubeconfig();
    const leaked = clientOf(before);
    expect((await leaked.list(resources.deployItem)).items).toHaveLength(1);
    await namespace.delete(kubeResources.serviceAccount, "environment.env.mock");
    await waitFor(async () => (await deployerKubeconfig()) !== before);
    await expect(leaked.list(resources.deployItem)).rejects.toThrow("401");
    expect((await clientOf(await deployerKubeconfig()).list(resources.deployItem)).items).toHaveLength(1);
  });

  it("has a token that the agent of its Environment alone can use, when that has published a key", async () => {
    const keys = createSealingKeys();
    const publish = async (sealingKey: string): Promise<string> => {
      const before = await deployerKubeconfig();
      const body = { spec: { sealingKey } };
      await cluster.client.patch(resources.environment, { name: "env" }, { type: "merge", body });
      await waitFor(async () => (await deployerKubeconfig()) !== before);
      return await deployerKubeconfig();
    };
    const sealed = await publish(keys.publicKey);
    await expect(clientOf(sealed).list(resources.deployItem)).rejects.toThrow("401");
    const open = clientOf(unsealTokens(sealed, keys.privateKey).text);
    expect((await open.list(resources.deployItem)).items).toHaveLength(1);
    const others = createSealingKeys();
    const next = await publish(others.publicKey);
    expect(unsealTokens(next, keys.privateKey).secrets).toEqual([]);
    const opened = clientOf(unsealTokens(next, others.privateKey).text);
    expect((await opened.list(resources.deployItem)).items).toHaveLength(1);
  });

  it("keeps its sealed token as long as a plain one", async () => {
    const before = await deployerKubeconfig();
    const generation = async () => (await namespace.get(resources.target, "mock-env")).metadata.resourceVersion;
    const version = await generation();
    const body = { spec: { targetSelectors: [] } };
    const { status } = await namespace.get(resources.installation, "mock-env");
    await cluster.client.patch(resources.environment, { name: "env" }, { type: "merge", body });
    await namespace.until(
      resources.installation,
      "mock-env",
      (installation) => installation?.status?.jobIDFinished !== status?.jobIDFinished,
    );
    expect([await deployerKubeconfig(), await generation()]).toEqual([before, version]);
  });

  it("keeps its rights when somebody changes the roles of deployers", async () => {
    const key = { name: deployerRoleName };
    const { rules } = await cluster.client.get(kubeResources.clusterRole, key);
    await cluster.client.patch(kubeResources.clusterRole, key, { type: "merge", body: { rules: [] } });
    await waitFor(async () => {
      const role = await cluster.client.get(kubeResources.clusterRole, key);
      return JSON.stringify(role.rules) === JSON.stringify(rules);
    });
  });

  it("is refused when the deployer is gone", async () => {
    const client = clientOf(await deployerKubeconfig());
    await cluster.client.delete(resources.deployerRegistration, { name: "mock" });
    await namespace.untilGone(resources.installation, "mock-env");
    await namespace.untilGone(kubeResources.serviceAccount, "environment.env.mock");
    await expect(client.list(resources.deployItem)).rejects.toThrow("401");
  });
});

function createTokenClient(token: string): Client {
  const { url: server, caPem: ca } = cluster.server;
  const client = createClient({ connection: { server, ca, token }, userAgent: "limited" });
  clients.push(client);
  return client;
}
