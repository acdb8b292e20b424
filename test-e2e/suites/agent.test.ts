// The agent as a process, with the core under the rules of its chart: scenario A25. Host and landscaper cluster are one, with an account for each, so
// that the requests to both are judged.
import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import {
  agentAccountName,
  agentFinalizer,
  agentNames,
  kubeResources,
  labels,
  productVersion,
  resources,
  type DeployerRegistration,
  type Environment as ManagedEnvironment,
  type KubeObject,
  type ResourceType,
} from "@landscaper/api";
import type { Client } from "@landscaper/controller-runtime";
import { rawChart } from "@landscaper/helm-deployer-lib/testing";
import { createKubeconfig, waitFor } from "@landscaper/testkit";
import { startEnvironment, type Environment } from "../src/environment.ts";
import { blueprintYaml, clusterImport } from "../src/inline-installation.ts";
import { clustersUnderTest } from "../src/selected-clusters.ts";
import { createRecognizer } from "../src/sentinel.ts";
import { createServiceAccounts, type ServiceAccount } from "../src/service-accounts.ts";
import { createServiceProcess, type ServiceProcess } from "../src/service-process.ts";
import { harnessNamespace } from "../src/service-token.ts";

const suffix = randomBytes(4).toString("hex");
const name = `edge-${suffix}`;
const names = agentNames(name);
const namespace = harnessNamespace;
const accountOf = (side: string): string => (side === "landscaper" ? agentAccountName(name) : `agent-${side}`);
const accounts: readonly ServiceAccount[] = ["landscaper", "host"].map((side) => ({
  // That on the landscaper cluster has the name by which its writes are bounded.
  name: accountOf(side),
  chart: "landscaper-agent",
  has: (file) => file.startsWith(`${side}-`),
  environment: name,
}));

/** A deployer that is a chart with a ConfigMap. */
async function registration(own: string): Promise<DeployerRegistration> {
  const map =
    "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: {{ .Release.Name }}}\ndata: {identity: {{ .Values.identity }}}\n";
  const chart = JSON.stringify(await rawChart({ "templates/map.yaml": map }));
  const template = `
deployItems:
  - name: deployer
    type: landscaper.gardener.cloud/helm
    target: { import: cluster }
    config:
      apiVersion: helm.deployer.landscaper.gardener.cloud/v1alpha1
      kind: ProviderConfiguration
      name: {{ .imports.releaseName }}
      namespace: {{ .imports.releaseNamespace }}
      helmDeployment: false
      chart: ${chart}
      values: { identity: {{ .imports.identity }} }
`;
  const data = ["releaseName", "releaseNamespace", "identity", "targetSelectors"];
  const imports = [
    clusterImport,
    { ...clusterImport, name: "landscaperCluster" },
    ...data.map((value) => ({ name: value, type: "data", schema: {} })),
  ];
  const deployExecutions = [{ name: "default", type: "GoTemplate", template }];
  const filesystem = { "blueprint.yaml": blueprintYaml({ imports, deployExecutions }) };
  return {
    apiVersion: "landscaper.gardener.cloud/v1alpha1",
    kind: "DeployerRegistration",
    metadata: { name: own },
    spec: { types: [`example.org/${own}`], installationTemplate: { blueprint: { inline: { filesystem } } } },
  };
}

describe.each(clustersUnderTest())("the agent on %s", (cluster) => {
  let environment: Environment;
  let client: Client;
  let agent: ServiceProcess<"landscaper-agent">;
  const folder = mkdtempSync(join(tmpdir(), "landscaper-e2e-agent-"));
  const registrations = [`one-${suffix}`, `two-${suffix}`];

  beforeAll(async () => {
    const deployerManagement = { namespace, leaseNamespace: namespace };
    environment = await startEnvironment({
      cluster,
      services: ["landscaper-core"],
      separateTarget: false,
      configs: { "landscaper-core": { deployerManagement } },
    });
    ({ client } = environment);
    const { url, ca } = environment.hub;
    const tokens = await createServiceAccounts(client, accounts);
    const kubeconfigOf = (side: string): string =>
      createKubeconfig({ name: side, server: url, ca, user: { token: tokens.get(accountOf(side)) ?? "" } });
    writeFileSync(join(folder, "landscaper"), kubeconfigOf("landscaper"));
    agent = await createServiceProcess({
      name: "landscaper-agent",
      folder,
      kubeconfig: kubeconfigOf("host"),
      config: { name, namespace, landscaperNamespace: namespace },
      args: ["--landscaper-kubeconfig", join(folder, "landscaper")],
    });
  }, 120_000);
  afterAll(async () => {
    await agent.stop();
    await environment.stop();
    rmSync(folder, { recursive: true });
  });

  async function until<T extends KubeObject>(
    type: ResourceType<T>,
    key: { readonly name: string; readonly namespace?: string },
    condition: (object: T | undefined) => boolean,
  ): Promise<T | undefined> {
    let last: T | undefined;
    const find = async (): Promise<boolean> => {
      last = await client.find(type, key);
      return condition(last);
    };
    const describeLast = (): Promise<string> =>
      Promise.resolve(`${JSON.stringify(last, undefined, 1)}\n${environment.describeLogs()}`);
    await waitFor(find, { timeoutMs: 60_000, describe: describeLast });
    return last;
  }

  const reachable = ({ status }: ManagedEnvironment): string | undefined =>
    status?.conditions?.find(({ type }) => type === "Reachable")?.status;

  it("creates its Environment, of which the core learns that it lives", async () => {
    await agent.start();
    const found = await until(
      resources.environment,
      { name },
      (object) => object !== undefined && reachable(object) === "True",
    );
    expect(found?.status).toMatchObject({ agentVersion: `v${productVersion}`, phase: "Succeeded", succeeded: "0/0" });
  });

  it("installs what is registered (A25)", async () => {
    for (const own of registrations) await client.create(resources.deployerRegistration, await registration(own));
    await until(resources.environment, { name }, (object) => object?.status?.succeeded === "2/2");
    for (const own of registrations) {
      const pair = `${own}-${name}`;
      const { status } = await client.get(resources.installation, { namespace, name: pair });
      expect(status?.phase).toBe("Succeeded");
      const map = await client.get(kubeResources.configMap, { namespace, name: pair });
      expect(map.data).toEqual({ identity: pair });
    }
  });

  it("lets nothing of the credentials of its host into objects, events and logs", async () => {
    const { data } = await client.get(kubeResources.secret, { namespace, name: names.accessSecret });
    const kubeconfig = Buffer.from(data?.["kubeconfig"] ?? "", "base64").toString();
    // Other tokens begin like it.
    const signature = /token: [\w-]+\.[\w-]+\.([\w-]+)/.exec(kubeconfig)?.[1] ?? "";
    const findIn = createRecognizer(signature);
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
    const objects = lists.flat().filter(({ metadata }) => metadata.name !== names.accessSecret);
    expect(objects.map(({ kind }) => kind)).toEqual(expect.arrayContaining(["Environment", "Target", "DeployItem"]));
    const log = readFileSync(agent.logFile, "utf8");
    expect(log).toContain("edge");
    const found = [...objects.map((object) => JSON.stringify(object)), log, environment.describeLogs()].filter(
      (text) => findIn(text) !== undefined,
    );
    expect(found).toEqual([]);
  });

  it("uninstalls a deployer whose registration is deleted (A25)", async () => {
    const [own = "", other = ""] = registrations;
    await client.delete(resources.deployerRegistration, { name: own });
    await until(resources.deployerRegistration, { name: own }, (object) => object === undefined);
    const mapOf = (registered: string) =>
      client.find(kubeResources.configMap, { namespace, name: `${registered}-${name}` });
    expect([await mapOf(own), (await mapOf(other))?.metadata.name]).toEqual([undefined, `${other}-${name}`]);
  });

  it("leaves nothing on its host when the Environment is deleted, which keeps the finalizer of the agent (A25)", async () => {
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
