// The agent as a process, with the core under the rules of its chart: scenario A25. Host and landscaper cluster are one, with an account for each, so
// that the requests to both are judged.
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import {
  agentFinalizer,
  kubeResources,
  labels,
  productVersion,
  resources,
  type Environment as ManagedEnvironment,
  type ResourceType,
} from "@landscaper/api";
import { connectionFromKubeconfig, createClient } from "@landscaper/controller-runtime";
import {
  mapRegistration,
  startAgentLandscape,
  type AgentLandscape,
  type AgentProcess,
} from "../agent/agent-landscape.ts";
import { clustersUnderTest } from "../src/clusters/selected-clusters.ts";
import { createRecognizer } from "../src/kits/sentinel.ts";

describe.each(clustersUnderTest())("the agent on %s", (cluster) => {
  let landscape: AgentLandscape;
  let agent: AgentProcess;
  let registrations: readonly string[] = [];

  beforeAll(async () => {
    landscape = await startAgentLandscape({ cluster });
    registrations = [`one-${landscape.suffix}`, `two-${landscape.suffix}`];
    agent = await landscape.createAgent();
  });
  afterAll(async () => landscape.stop());

  const kubeconfigIn = async (secret: string): Promise<string> => {
    const { client, namespace } = landscape;
    const { data } = await client.get(kubeResources.secret, { namespace, name: secret });
    return Buffer.from(data?.["kubeconfig"] ?? "", "base64").toString();
  };
  const reachable = ({ status }: ManagedEnvironment): string | undefined =>
    status?.conditions?.find(({ type }) => type === "Reachable")?.status;

  it("creates its Environment, of which the core learns that it lives", async () => {
    const { name, until } = landscape;
    await agent.start();
    const found = await until(
      resources.environment,
      { name },
      (object) => object !== undefined && reachable(object) === "True",
    );
    expect(found?.status).toMatchObject({ agentVersion: `v${productVersion}`, phase: "Succeeded", succeeded: "0/0" });
  });

  it("installs what is registered (A25)", async () => {
    const { client, name, namespace, untilSucceeded } = landscape;
    for (const own of registrations)
      await client.create(resources.deployerRegistration, await mapRegistration(own, { hasAccess: true }));
    await untilSucceeded("2/2");
    for (const own of registrations) {
      const pair = `${own}-${name}`;
      const { status } = await client.get(resources.installation, { namespace, name: pair });
      expect(status?.phase).toBe("Succeeded");
      const map = await client.get(kubeResources.configMap, { namespace, name: pair });
      expect(map.data).toEqual({ identity: pair, step: "1" });
    }
  });

  it("gives its deployers tokens that are good", async () => {
    const { name, namespace } = landscape;
    for (const own of registrations) {
      const kubeconfig = await kubeconfigIn(`${own}-${name}-access`);
      const deployer = createClient({ connection: connectionFromKubeconfig(kubeconfig), userAgent: "deployer" });
      expect((await deployer.list(resources.deployItem, { namespace })).items.length).toBeGreaterThan(0);
      await deployer.close();
    }
  });

  it.each<readonly [string, (all: AgentLandscape) => string]>([
    ["its host", ({ names }) => names.accessSecret],
    ["a deployer", ({ name }) => `${registrations[0]}-${name}-access`],
  ])("lets nothing of the credentials of %s into objects, events and logs", async (_, secretOf) => {
    const { client, environment, namespace } = landscape;
    const secret = secretOf(landscape);
    // Other tokens begin like it.
    const signature = /token: [\w-]+\.[\w-]+\.([\w-]+)/.exec(await kubeconfigIn(secret))?.[1] ?? "";
    const findIn = createRecognizer(signature);
    const { data } = await client.get(kubeResources.secret, { namespace, name: secret });
    expect(findIn(JSON.stringify(data))).toBeDefined();
    const kinds: readonly ResourceType[] = [
      ...Object.values(resources),
      kubeResources.secret,
      kubeResources.configMap,
      kubeResources.event,
      kubeResources.lease,
      kubeResources.serviceAccount,
      kubeResources.clusterRole,
      kubeResources.clusterRoleBinding,
    ];
    const lists = await Promise.all(kinds.map(async (type) => (await client.list(type)).items));
    const objects = lists.flat().filter(({ metadata }) => metadata.name !== secret);
    expect(objects.map(({ kind }) => kind)).toEqual(expect.arrayContaining(["Environment", "Target", "DeployItem"]));
    const log = readFileSync(agent.logFile, "utf8");
    expect(log).toContain("edge");
    const found = [...objects.map((object) => JSON.stringify(object)), log, environment.describeLogs()].filter(
      (text) => findIn(text) !== undefined,
    );
    expect(found).toEqual([]);
  });

  it("uninstalls a deployer whose registration is deleted (A25)", async () => {
    const { client, name, namespace, until } = landscape;
    const [own = "", other = ""] = registrations;
    await client.delete(resources.deployerRegistration, { name: own });
    await until(resources.deployerRegistration, { name: own }, (object) => object === undefined);
    const mapOf = (registered: string) =>
      client.find(kubeResources.configMap, { namespace, name: `${registered}-${name}` });
    expect([await mapOf(own), (await mapOf(other))?.metadata.name]).toEqual([undefined, `${other}-${name}`]);
  });

  it("leaves nothing on its host when the Environment is deleted, which keeps the finalizer of the agent (A25)", async () => {
    const { client, name, names, namespace, until } = landscape;
    await client.delete(resources.environment, { name });
    await until(
      resources.environment,
      { name },
      (object) => JSON.stringify(object?.metadata.finalizers) === JSON.stringify([agentFinalizer]),
    );
    await until(kubeResources.serviceAccount, { namespace, name: names.account }, (object) => object === undefined);
    const labelSelector = `${labels.deployerEnvironment}=${name}`;
    const kinds: readonly ResourceType[] = [
      kubeResources.secret,
      kubeResources.clusterRole,
      kubeResources.clusterRoleBinding,
      resources.installation,
    ];
    const left = await Promise.all(kinds.map(async (type) => (await client.list(type, { labelSelector })).items));
    expect(left.flat().map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual([]);
    await client.delete(resources.deployerRegistration, { name: registrations[1] ?? "" });
    await agent.stop();
    const body = { metadata: { finalizers: [] } };
    await client.patch(resources.environment, { name }, { type: "merge", body });
    await until(resources.environment, { name }, (object) => object === undefined);
  });
});
