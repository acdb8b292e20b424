// What happens to an Environment beside its agent: another cluster takes its name over, finalizers are removed in the wrong order, and the landscaper
// cluster is restored from a backup that is older than the last writes of the agent.
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import {
  agentFinalizer,
  deployerManagementFinalizer,
  kubeResources,
  resources,
  type ConfigMap,
  type Environment,
} from "@landscaper/api";
import { describeUnless, startEmbeddedCluster, waitFor, type EmbeddedCluster } from "@landscaper/testkit";
import {
  mapRegistration,
  startAgentLandscape,
  type AgentLandscape,
  type AgentProcess,
} from "../agent/agent-landscape.ts";
import { restoreSnapshot, takeSnapshot } from "../cluster/etcd-snapshot.ts";
import { etcdAbsence } from "../src/clusters/etcd-absence.ts";
import { clustersUnderTest } from "../src/clusters/selected-clusters.ts";

const waits = { timeoutMs: 60_000 };
const onlyAgents = (object: Environment | undefined): boolean =>
  JSON.stringify(object?.metadata.finalizers) === JSON.stringify([agentFinalizer]);

describe.each(clustersUnderTest())("an Environment and its agent on %s", (cluster) => {
  let landscape: AgentLandscape;
  let agent: AgentProcess;
  /** Another host. */
  let other: EmbeddedCluster;
  let own = "";

  beforeAll(async () => {
    [landscape, other] = await Promise.all([startAgentLandscape({ cluster }), startEmbeddedCluster()]);
    await other.createNamespace(landscape.namespace);
    own = `one-${landscape.suffix}`;
    agent = await landscape.createAgent();
    await agent.start();
    await landscape.client.create(resources.deployerRegistration, await mapRegistration(own));
    await landscape.untilSucceeded("1/1");
  });
  afterAll(async () => {
    await landscape.stop();
    await other.stop();
  });

  const pairOf = (registered: string) => ({ namespace: landscape.namespace, name: `${registered}-${landscape.name}` });
  const mapOn = async (host: Pick<EmbeddedCluster, "client">, registered = own): Promise<ConfigMap | undefined> =>
    await host.client.find(kubeResources.configMap, pairOf(registered));
  const setFinalizers = async (finalizers: readonly string[]): Promise<void> => {
    const { client, name } = landscape;
    await client.patch(resources.environment, { name }, { type: "merge", body: { metadata: { finalizers } } });
  };

  it("uninstalls its deployers and takes the access away after that, when the finalizer for them is removed by hand", async () => {
    const { client, name, names, namespace, until } = landscape;
    await client.delete(resources.environment, { name });
    const found = await client.get(resources.environment, { name });
    if (found.metadata.finalizers?.includes(deployerManagementFinalizer) === true)
      await setFinalizers([agentFinalizer]);
    await until(resources.installation, pairOf(own), (object) => object === undefined);
    expect(await mapOn(landscape)).toBeUndefined();
    await until(kubeResources.serviceAccount, { namespace, name: names.account }, (object) => object === undefined);
    expect(onlyAgents(await client.get(resources.environment, { name }))).toBe(true);
  });

  it("is only made again by an administrator when its last finalizer is removed, and has its deployers then", async () => {
    const { until, name, untilSucceeded } = landscape;
    await setFinalizers([]);
    await until(resources.environment, { name }, (object) => object === undefined);
    const refusal = `Environment ${name} does not exist, and its agent must not create it`;
    await waitFor(async () => (await agent.readiness()).includes(refusal), waits);
    await landscape.createEnvironment();
    await untilSucceeded("1/1");
    expect((await mapOn(landscape))?.data).toEqual({ identity: pairOf(own).name, step: "1" });
  });

  it("gets its deployers back when all finalizers are removed while they are installed, and an administrator creates it again", async () => {
    const { client, name, until, untilSucceeded } = landscape;
    await client.delete(resources.environment, { name });
    await setFinalizers([]);
    await until(resources.environment, { name }, (object) => object === undefined);
    await landscape.createEnvironment();
    await untilSucceeded("1/1");
    await waitFor(async () => (await mapOn(landscape)) !== undefined, waits);
  });

  it("has its deployers in the cluster that takes its host's place, and in the first one again", async () => {
    const { client, name, untilSucceeded } = landscape;
    const hostOf = async (): Promise<unknown> =>
      (await client.get(resources.environment, { name })).spec.hostTarget.config?.["kubeconfig"];
    const successor = await landscape.createAgent({ pod: "successor", host: other.server.kubeconfig });
    await agent.stop();
    await successor.start();
    await waitFor(async () => (await mapOn(other)) !== undefined, waits);
    await untilSucceeded("1/1");
    const { uid } = (await other.client.get(kubeResources.namespace, { name: "kube-system" })).metadata;
    expect(await hostOf()).toMatchObject({ secretRef: { cluster: uid } });
    await client.delete(kubeResources.configMap, pairOf(own));
    await successor.stop();
    await agent.start();
    await waitFor(async () => (await mapOn(landscape)) !== undefined, waits);
    await untilSucceeded("1/1");
  });
});

describeUnless(etcdAbsence(), describe)("an Environment whose landscaper cluster is restored from a backup", () => {
  let landscape: AgentLandscape;
  let host: EmbeddedCluster;
  const args = ["--lease-duration", "20s"];
  const selectorsOf = (name: string) => [{ targets: [{ name, namespace: "elsewhere" }] }];
  const nameOf = (own: string): string => `${own}-${landscape.suffix}`;
  const isInstalled = async (own: string): Promise<boolean> => {
    const key = { namespace: landscape.namespace, name: `${nameOf(own)}-${landscape.name}` };
    return (await host.client.find(kubeResources.configMap, key)) !== undefined;
  };
  const register = async (own: string): Promise<void> => {
    await landscape.client.create(resources.deployerRegistration, await mapRegistration(nameOf(own)));
    await waitFor(async () => isInstalled(own), waits);
  };

  beforeAll(async () => {
    [landscape, host] = await Promise.all([startAgentLandscape({ cluster: "real" }), startEmbeddedCluster()]);
    await host.createNamespace(landscape.namespace);
  });
  afterAll(async () => {
    await landscape.stop();
    await host.stop();
  });

  it("gets back what its agent has written since, from the agent that goes on, and serves deployers again", async () => {
    const { client, environment, name, names, namespace, until, untilSucceeded } = landscape;
    const etcd = environment.hub.etcdUrl ?? "";
    const first = await landscape.createAgent({ pod: "first", host: host.server.kubeconfig, args });
    await first.start();
    await register("one");
    await untilSucceeded("1/1");
    const snapshot = await takeSnapshot(etcd);

    await first.stop();
    const selectors = selectorsOf(name);
    const config = { targetSelectors: selectors };
    const second = await landscape.createAgent({ pod: "second", host: host.server.kubeconfig, args, config });
    await second.start();
    await register("two");
    await untilSucceeded("2/2");
    const core = environment.service("landscaper-core");
    await core.stop();
    await restoreSnapshot(etcd, snapshot);
    const holderOf = async (): Promise<string | undefined> =>
      (await client.get(kubeResources.lease, { namespace, name: names.lease })).spec?.holderIdentity;
    expect([await holderOf(), (await client.get(resources.environment, { name })).spec.targetSelectors]).not.toEqual([
      `${names.identity}/second`,
      selectors,
    ]);
    await core.start();

    await waitFor(async () => (await holderOf()) === `${names.identity}/second`, waits);
    const hasSelectors = (found: Environment | undefined): boolean =>
      JSON.stringify(found?.spec.targetSelectors) === JSON.stringify(selectors);
    await until(resources.environment, { name }, hasSelectors);
    await register("three");
    await untilSucceeded("2/2");
    // Nobody knows any more of what was installed after the backup: it goes on to run.
    expect(await isInstalled("two")).toBe(true);
  }, 180_000);
});
