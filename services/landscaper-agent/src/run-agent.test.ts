// The process of the agent on two embedded clusters, under the rights that it asks for.
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import {
  agentLeaseAnnotations,
  keyOf,
  kubeResources,
  productVersion,
  resources,
  type ResourceType,
} from "@landscaper/api";
import { LeadershipLostError } from "@landscaper/controller-runtime";
import { sealToken } from "@landscaper/deployer";
import { createDeployerScope, type DeployerScope } from "@landscaper/deployer/testing";
import { helmSpec, rawChart } from "@landscaper/helm-deployer-lib/testing";
import { childrenOf, commandOf, waitFor } from "@landscaper/testkit";
import {
  createHostTarget,
  environment,
  hostNamespace,
  listSecrets,
  startAgentClusters,
  startHost,
  type AgentClusters,
  type StartedAgent,
} from "../test/agent-clusters.ts";

/** Processes in which this one renders charts. */
const threads = (): readonly number[] => childrenOf(process.pid).filter((pid) => commandOf(pid).startsWith("chart"));

// Of other tests: they may end at any time.
const threadsBefore = threads();
let clusters: AgentClusters;
let scope: DeployerScope;
let agent: StartedAgent;
const leaseKey = { namespace: "ls-system", name: "landscaper-agent-env" };
const untilReady = (one: StartedAgent): Promise<unknown> => waitFor(async () => (await one.readiness()) === "ready");
const leaseOf = () => clusters.hub.client.find(kubeResources.lease, leaseKey);
const holder = async () => (await leaseOf())?.spec?.holderIdentity;

beforeAll(async () => {
  clusters = await startAgentClusters();
  const { client } = clusters.hub;
  scope = createDeployerScope({ hubClient: client, targetKubeconfig: "", namespace: "ls-system" });
  agent = await clusters.start();
  await waitFor(() => client.get(resources.environment, { name: environment }));
  await createHostTarget(clusters.hub, "ls-system");
});
afterAll(async () => {
  await clusters.stop();
});

/** A helm item on the Target of the host. */
async function deploy(name: string): Promise<string | undefined> {
  const templates = { "templates/map.yaml": `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n` };
  const spec = helmSpec(hostNamespace, { chart: await rawChart(templates), name });
  await scope.create({ name, spec: { ...spec, target: { name: environment } } });
  return (await scope.waitForEnd(name)).status?.deployer?.identity;
}

const isDeployed = async (name: string): Promise<boolean> =>
  (await clusters.host.client.find(kubeResources.configMap, { namespace: hostNamespace, name })) !== undefined;

describe("the agent", () => {
  it("creates its Environment, and is ready", async () => {
    await untilReady(agent);
    const { metadata, spec } = await clusters.hub.client.get(resources.environment, { name: environment });
    expect(metadata.finalizers).toEqual(["finalizer.agent.landscaper.gardener.cloud"]);
    expect([spec.namespace, spec.landscaperClusterConfig.host]).toEqual([hostNamespace, clusters.link.url]);
    // Of its deployers: its own items are elsewhere.
    expect(spec.namespaces).toEqual(["tenant"]);
  });

  it("deploys charts to its host, by a kubeconfig that never leaves it", async () => {
    expect(await deploy("first")).toBe("agent-helm-deployer-env/agent-0");
    expect(await isDeployed("first")).toBe(true);
    const key = { namespace: hostNamespace, name: "env-target-access" };
    const { data } = await clusters.host.client.get(kubeResources.secret, key);
    const kubeconfig = Buffer.from(data?.["kubeconfig"] ?? "", "base64").toString();
    const token = /token: (\S+)/.exec(kubeconfig)?.[1] ?? "none";
    const [, claims = ""] = token.split(".");
    const { sub, iat, exp } = JSON.parse(Buffer.from(claims, "base64url").toString()) as Record<string, unknown>;
    expect([sub, Number(exp) - Number(iat)]).toEqual([`system:serviceaccount:${hostNamespace}:deployer-env`, 3600]);
    const { client } = clusters.hub;
    const kinds: readonly ResourceType[] = [
      resources.environment,
      resources.target,
      resources.deployItem,
      kubeResources.secret,
      kubeResources.lease,
      kubeResources.event,
    ];
    const all = await Promise.all(kinds.map(async (type) => await client.list(type)));
    expect(JSON.stringify(all)).toContain("env-target-access");
    expect(JSON.stringify(all)).not.toContain(token);
    expect(JSON.stringify(all)).not.toContain(Buffer.from(token).toString("base64").slice(8, 48));
  });

  it("opens tokens that are sealed for its Environment, in values of charts, and for nobody else", async () => {
    const templates = {
      "templates/map.yaml":
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: opened}\ndata: {token: {{ .Values.token | quote }}}\n",
    };
    const { client } = clusters.hub;
    const { sealingKey = "" } = (await client.get(resources.environment, { name: environment })).spec;
    const token = "e30.e30.signature-of-the-server";
    const values = { token: sealToken(token, sealingKey) };
    const spec = helmSpec(hostNamespace, { chart: await rawChart(templates), name: "opened", values });
    await scope.create({ name: "opened", spec: { ...spec, target: { name: environment } } });
    const { status } = await scope.waitForEnd("opened");
    expect([status?.phase, status?.lastError?.message]).toEqual(["Succeeded", undefined]);
    const map = await clusters.host.client.get(kubeResources.configMap, { namespace: hostNamespace, name: "opened" });
    expect(map.data).toEqual({ token });
    const kinds: readonly ResourceType[] = [resources.deployItem, kubeResources.secret, kubeResources.event];
    const all = await Promise.all(kinds.map(async (type) => await client.list(type)));
    expect(JSON.stringify(all)).not.toContain("signature-of-the-server");
  });

  it("names a Secret that it is refused and the Role that has to list it, and continues once the Role does", async () => {
    const { client } = clusters.hub;
    await client.create(kubeResources.secret, {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { namespace: "ls-system", name: "listed-values" },
      data: { "values.yaml": Buffer.from("text: from-the-secret\n").toString("base64") },
    });
    const map = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: valued}\ndata: {text: {{ .Values.text | quote }}}\n";
    const valuesFrom = [{ kind: "Secret", name: "listed-values" }];
    const spec = helmSpec(hostNamespace, {
      chart: await rawChart({ "templates/map.yaml": map }),
      name: "valued",
      valuesFrom,
    });
    await scope.create({ name: "valued", spec: { ...spec, target: { name: environment } } });
    const { lastError } = await waitFor(async () => {
      const { status } = await scope.get("valued");
      return status?.lastError === undefined ? undefined : status;
    });
    expect([lastError?.reason, lastError?.message]).toEqual([
      "AgentSecretRefused",
      expect.stringMatching(
        /^Secret ls-system\/listed-values cannot be read: .* in Role ls-system\/landscaper:agent:secrets:env\. /,
      ),
    ]);
    await listSecrets(clusters.hub, ["listed-values"]);
    const { status } = await scope.waitForEnd("valued");
    expect([status?.phase, status?.lastError?.message]).toEqual(["Succeeded", undefined]);
    const found = await clusters.host.client.get(kubeResources.configMap, { namespace: hostNamespace, name: "valued" });
    expect(found.data).toEqual({ text: "from-the-secret" });
  });

  it("leaves a Target of the same name in another namespace alone, though that names its Secret", async () => {
    await clusters.hub.createNamespace("tenant");
    await createHostTarget(clusters.hub, "tenant");
    const tenant = createDeployerScope({ hubClient: clusters.hub.client, targetKubeconfig: "", namespace: "tenant" });
    const map = { "templates/map.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: smuggled}\n" };
    const spec = helmSpec(hostNamespace, { chart: await rawChart(map), name: "smuggled" });
    await tenant.create({ name: "smuggled", spec: { ...spec, target: { name: environment } } });
    await deploy("after-the-smuggled");
    expect([(await tenant.get("smuggled")).status?.phase, await isDeployed("smuggled")]).toEqual([undefined, false]);
  });

  it("says by its Lease that it lives, which version it has, and where it is", async () => {
    const lease = await leaseOf();
    const { uid } = (await clusters.host.client.get(kubeResources.namespace, { name: "kube-system" })).metadata;
    const version: unknown = await clusters.host.client.request({ method: "GET", path: "/version" });
    expect(lease?.metadata.labels?.["deployers.landscaper.gardener.cloud/environment"]).toBe(environment);
    expect(lease?.metadata.annotations).toMatchObject({
      [agentLeaseAnnotations.agentVersion]: `v${productVersion}`,
      [agentLeaseAnnotations.clusterVersion]: Reflect.get(Object(version), "gitVersion"),
      [agentLeaseAnnotations.host]: `${uid}/${hostNamespace}`,
    });
    expect(lease?.spec?.leaseDurationSeconds).toBe(300);
  });

  it("works with one of two replicas; the other follows it when the threads of the first have ended", async () => {
    const second = await clusters.start({ pod: "agent-1" });
    await untilReady(second);
    expect(await deploy("of-the-first")).toBe("agent-helm-deployer-env/agent-0");
    const threadsOfFirst = threads().filter((pid) => !threadsBefore.includes(pid));
    expect(threadsOfFirst).not.toEqual([]);
    await agent.stop();
    expect(threads().filter((pid) => threadsOfFirst.includes(pid))).toEqual([]);
    expect(await deploy("of-the-second")).toBe("agent-helm-deployer-env/agent-1");
    agent = second;
  });

  it("is refused in a second cluster, as long as the first one lives", async () => {
    const other = await startHost();
    try {
      const rival = await clusters.start({ pod: "rival-0", host: other });
      await waitFor(async () => (await rival.readiness())?.includes("another agent serves Environment env") === true);
      const secrets = await other.client.list(kubeResources.secret, { namespace: hostNamespace });
      expect([secrets.items, await holder()]).toEqual([[], "agent-helm-deployer-env/agent-1"]);
      await rival.stop();
    } finally {
      await other.stop();
    }
  });

  it("goes on in its pod with new credentials, though those of its Lease were revoked", async () => {
    await agent.mount(await clusters.renewCredentials());
    expect(await agent.ended).toMatchObject({ name: "KubeconfigChangedError" });
    // As the kubelet does.
    agent = await clusters.start({ pod: "agent-1" });
    expect(await deploy("with-new-credentials")).toBe("agent-helm-deployer-env/agent-1");
  });

  it("hands over to a new pod when its credentials were revoked and its Lease is deleted", async () => {
    await clusters.renewCredentials();
    const successor = await clusters.start({ pod: "agent-2" });
    await untilReady(successor);
    await agent.stop();
    expect(await holder()).toBe("agent-helm-deployer-env/agent-1");
    await clusters.hub.client.delete(kubeResources.lease, leaseKey);
    expect(await deploy("of-the-new-pod")).toBe("agent-helm-deployer-env/agent-2");
    agent = successor;
  });

  it("goes on after the landscaper cluster was away", async () => {
    await clusters.link.goAway();
    await waitFor(async () => (await fetch(clusters.link.url).catch(() => undefined)) === undefined);
    await clusters.link.comeBack();
    expect(await deploy("after-the-outage")).toBe("agent-helm-deployer-env/agent-2");
    expect(await Promise.race([agent.ended, Promise.resolve("runs")])).toBe("runs");
  });

  it("ends when the landscaper cluster is away for longer than its Lease, waits for it, and goes on", async () => {
    await agent.stop();
    const short = await clusters.start({ pod: "agent-3", leaseSeconds: 3 });
    await waitFor(async () => (await holder()) === "agent-helm-deployer-env/agent-3");
    await clusters.link.goAway();
    expect(await short.ended).toBeInstanceOf(LeadershipLostError);
    // As the kubelet does.
    agent = await clusters.start({ pod: "agent-3", leaseSeconds: 3 });
    await waitFor(async () => (await agent.readiness())?.includes(`no answer from ${clusters.link.url}`) === true);
    await clusters.link.comeBack();
    expect(await deploy("after-the-long-outage")).toBe("agent-helm-deployer-env/agent-3");
  });

  it("removes everything from its host when its Environment is deleted, and stays", async () => {
    const { client } = clusters.hub;
    await client.delete(resources.environment, { name: environment });
    const { host } = clusters;
    const names = async (): Promise<readonly (string | undefined)[]> => {
      const kinds: readonly ResourceType[] = [
        kubeResources.secret,
        kubeResources.serviceAccount,
        kubeResources.clusterRole,
        kubeResources.clusterRoleBinding,
      ];
      const labelSelector = "deployers.landscaper.gardener.cloud/environment=env";
      const lists = await Promise.all(
        kinds.map(async (type) => (await host.client.list(type, { labelSelector })).items),
      );
      return lists.flat().map(({ metadata }) => metadata.name);
    };
    await waitFor(async () => (await names()).length === 0);
    const left = await client.get(resources.environment, { name: environment });
    expect(left.metadata.finalizers).toEqual(["finalizer.agent.landscaper.gardener.cloud"]);
    expect(await agent.readiness()).toBe("ready");
  });

  it("is not ready if it has no namespaces and the Environment does not exist, and keeps the list of an existing Environment", async () => {
    const { client } = clusters.hub;
    await agent.stop();
    const found = await client.get(resources.environment, { name: environment });
    const { spec, ...object } = found;
    await client.patch(resources.environment, keyOf(found), { type: "merge", body: { metadata: { finalizers: [] } } });
    agent = await clusters.start({ pod: "agent-4", namespaces: [] });
    const reason =
      "Environment env does not exist, and its agent must not create it (run landscaper agent bootstrap --environment env --namespaces NAMES as an administrator of the landscaper cluster)";
    await waitFor(async () => (await agent.readiness())?.includes(reason) === true, {
      describe: async () => String(await agent.readiness()),
    });
    expect(await client.find(resources.environment, { name: environment })).toBeUndefined();
    const metadata = { name: environment };
    await client.create(resources.environment, { ...object, metadata, spec: { ...spec, namespaces: ["*"] } });
    await untilReady(agent);
    expect((await client.get(resources.environment, metadata)).spec.namespaces).toEqual(["*"]);
  });
});
