// Targets whose kubeconfig is in a Secret of the cluster that the deployer runs in.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { kubeResources, type Secret } from "@landscaper/api";
import { createEgressPolicy, type EgressPolicy } from "@landscaper/egress";
import { startEmbeddedCluster, waitFor, type EmbeddedCluster } from "@landscaper/testkit";
import type { Deployer } from "./deployer-interface.ts";
import {
  createDeployerFixture,
  type DeployerFixture,
  type DeployerScope,
  type StartedDeployer,
} from "../test/index.ts";

const type = "landscaper.gardener.cloud/host-secret-test";
const spec = { type, config: { apiVersion: "test/v1", kind: "ProviderConfiguration" }, target: { name: "host" } };

let fixture: DeployerFixture;
let host: EmbeddedCluster;
let scope: DeployerScope;
let scopes = 0;
const started: StartedDeployer[] = [];
beforeAll(async () => {
  [fixture, host] = await Promise.all([createDeployerFixture(), startEmbeddedCluster()]);
});
afterAll(async () => {
  await fixture.stop();
  await host.stop();
});
beforeEach(async () => {
  scope = await fixture.scope(`host-secret-${++scopes}`);
  await host.createNamespace(scope.namespace);
});
afterEach(async () => {
  await Promise.all(started.splice(0).map((each) => each.stop()));
});

/** Writes a ConfigMap into the cluster of the Target. */
const deployer: Deployer = {
  type,
  name: "host-secret-test.deployer",
  version: "v1",
  parseConfig: (value) => value,
  reconcile: async ({ item, target }) => {
    const { client } = await target.cluster();
    const metadata = { name: item.metadata.name ?? "", namespace: item.metadata.namespace ?? "" };
    await client.create(kubeResources.configMap, { apiVersion: "v1", kind: "ConfigMap", metadata });
    return { type: "succeeded" };
  },
  delete: () => Promise.resolve("done"),
};

function start(hostSecret: string | undefined, egress?: EgressPolicy): void {
  const { namespace } = scope;
  const own = hostSecret === undefined ? {} : { hostSecret: { namespace, name: hostSecret } };
  started.push(fixture.start({ deployer, host: host.client, egress, ...own }));
}

function secretOf(kubeconfig: string): Secret {
  const metadata = { name: "access", namespace: scope.namespace };
  const data = { kubeconfig: Buffer.from(kubeconfig).toString("base64") };
  return { apiVersion: "v1", kind: "Secret", metadata, data };
}

async function createTarget(secret = "access"): Promise<void> {
  const config = { kubeconfig: { secretRef: { namespace: scope.namespace, name: secret, key: "kubeconfig" } } };
  await scope.createTarget({
    metadata: { name: "host" },
    spec: { type: "landscaper.gardener.cloud/kubernetes-cluster", config },
  });
}

const messageOf = async (): Promise<string | undefined> => (await scope.get("item")).status?.lastError?.message;

describe("a Target whose kubeconfig is in a Secret of the host", () => {
  it("opens the cluster of the kubeconfig, which is read for each pass", async () => {
    start("access");
    await createTarget();
    await scope.create({ name: "item", spec });
    const place = `Target ${scope.namespace}/host: the Secret ${scope.namespace}/access of the host cluster`;
    await waitFor(async () => (await messageOf()) === `${place} does not exist`);
    await host.client.create(kubeResources.secret, secretOf("kind: Config"));
    await waitFor(async () => (await messageOf())?.startsWith(`Target ${scope.namespace}/host: kubeconfig`) === true);
    await host.client.update(kubeResources.secret, secretOf(fixture.target.kubeconfig));
    await scope.trigger("item");
    expect((await scope.waitForEnd("item")).status?.phase).toBe("Succeeded");
    const key = { namespace: scope.namespace, name: "item" };
    expect(await fixture.targetClient.find(kubeResources.configMap, key)).toBeDefined();
  });

  it("may lead where Targets of users may not", async () => {
    await host.client.create(kubeResources.secret, secretOf(fixture.target.kubeconfig));
    await createTarget();
    start("access", createEgressPolicy({ deny: ["127.0.0.1"] }));
    await scope.create({ name: "item", spec });
    expect((await scope.waitForEnd("item")).status?.phase).toBe("Succeeded");
    await scope.createTarget({});
    await scope.create({ name: "of-a-user", spec: { ...spec, timeout: "3s", target: { name: "cluster" } } });
    expect((await scope.waitForEnd("of-a-user")).status?.phase).toBe("Failed");
  });

  it("is left to others by a deployer that may not read that Secret", async () => {
    await host.client.create(kubeResources.secret, secretOf(fixture.target.kubeconfig));
    await createTarget();
    start("another");
    await scope.create({ name: "item", spec });
    // One behind it, which the same deployer works on.
    await scope.createTarget({});
    await scope.create({ name: "behind", spec: { ...spec, target: { name: "cluster" } } });
    await scope.waitForEnd("behind");
    expect((await scope.get("item")).status?.phase).toBeUndefined();
  });

  it("is left to others by a deployer that reads no Secrets of its host", async () => {
    await createTarget();
    start(undefined);
    await scope.create({ name: "item", spec });
    await scope.createTarget({});
    await scope.create({ name: "behind", spec: { ...spec, target: { name: "cluster" } } });
    await scope.waitForEnd("behind");
    expect((await scope.get("item")).status?.phase).toBeUndefined();
  });
});
