// A core and the process of an agent beside it, both under the rules of their charts. Host and landscaper cluster are one, with an account of the agent
// for each, so that its requests to both are judged.
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  agentAccountName,
  agentNames,
  buildPendingEnvironment,
  resources,
  type AgentNames,
  type DeployerRegistration,
  type KubeObject,
  type ResourceType,
} from "@landscaper/api";
import type { Client } from "@landscaper/controller-runtime";
import { rawChart } from "@landscaper/helm-deployer-lib/testing";
import { createKubeconfig, waitFor } from "@landscaper/testkit";
import { startEnvironment, type Environment } from "../src/services/environment.ts";
import { blueprintYaml, clusterImport } from "../src/installations/inline-installation.ts";
import type { ClusterName } from "../src/clusters/selected-clusters.ts";
import { createServiceAccounts, type ServiceAccount } from "../src/clusters/service-accounts.ts";
import { createServiceProcess, type ServiceProcess } from "../src/services/service-process.ts";
import { harnessNamespace } from "../src/clusters/service-token.ts";

export type AgentProcess = ServiceProcess<"landscaper-agent">;

export interface AgentOptions {
  /** Default: that of the only pod. */
  readonly pod?: string;
  /** Kubeconfig of the host. Default: that of the agent's account on the landscaper cluster. */
  readonly host?: string;
  /** Further fields of the agent's configuration. By default, `namespaces` contains only the namespace of deployer management. */
  readonly config?: Readonly<Record<string, unknown>>;
  readonly args?: readonly string[];
  /** Folder with the bundle of the agent. Default: that of this checkout. */
  readonly bundles?: string;
  /** True: the agent creates its Environment, as agents of earlier releases did. Default: createAgent calls createEnvironment. */
  readonly createsEnvironment?: boolean;
}

export interface AgentLandscape {
  readonly environment: Environment;
  readonly client: Client;
  /** Of all objects of this run that have no namespace. */
  readonly suffix: string;
  /** Of the Environment. */
  readonly name: string;
  readonly names: AgentNames;
  /** Of deployer management, and of the agent on its host. */
  readonly namespace: string;
  /** Creates the Environment if it does not exist, as `landscaper agent bootstrap` does. Default of `namespaces`: that of deployer management. */
  createEnvironment(namespaces?: readonly string[]): Promise<void>;
  /** Prepares an agent that is stopped with the landscape. */
  createAgent(options?: AgentOptions): Promise<AgentProcess>;
  /** Waits until an object of the landscaper cluster is so; says what the core has printed when it does not come to that. */
  readonly until: <T extends KubeObject>(
    type: ResourceType<T>,
    key: { readonly name: string; readonly namespace?: string },
    condition: (object: T | undefined) => boolean,
  ) => Promise<T | undefined>;
  /** Waits until all deployers of the Environment have succeeded: `succeeded` of its status, such as "2/2". */
  readonly untilSucceeded: (succeeded: string) => Promise<void>;
  stop(): Promise<void>;
}

export interface AgentLandscapeOptions {
  readonly cluster: ClusterName;
  /** The landscaper cluster can be put back to an earlier state, see TestClusterOptions. */
  readonly isOwn?: boolean;
  /** How agents reach the clusters. Default: directly. */
  readonly kubeconfigFor?: (token: string, hub: Environment["hub"]) => Promise<string>;
  /** False: the test installs the API and starts the cores, which update both. */
  readonly hasCore?: boolean;
  /** The release whose charts grant the rights of agents. Default: this one. */
  readonly release?: ServiceAccount["release"];
}

/** What else the chart of a deployer has in it. */
export interface MapOptions {
  /** Default: 1. */
  readonly step?: number;
  /** A Secret `RELEASE-access` with its kubeconfig of the landscaper cluster. */
  readonly hasAccess?: boolean;
}

/** A deployer that is a chart with a ConfigMap of its release's name, with its identity and `step`. */
export async function mapRegistration(
  name: string,
  { step = 1, hasAccess = false }: MapOptions = {},
): Promise<DeployerRegistration> {
  const map =
    "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: {{ .Release.Name }}}\ndata: {identity: {{ .Values.identity }}, step: {{ .Values.step | quote }}}\n";
  const access =
    "apiVersion: v1\nkind: Secret\nmetadata: {name: {{ .Release.Name }}-access}\nstringData: {kubeconfig: {{ .Values.kubeconfig | quote }}}\n";
  const templates = { "templates/map.yaml": map, ...(hasAccess && { "templates/access.yaml": access }) };
  const chart = JSON.stringify(await rawChart(templates));
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
      values:
        identity: {{ .imports.identity }}
        step: ${step}
        ${hasAccess ? "kubeconfig: {{ .imports.landscaperCluster.spec.config.kubeconfig | toJson }}" : ""}
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
    metadata: { name },
    spec: { types: [`example.org/${name}`], installationTemplate: { blueprint: { inline: { filesystem } } } },
  };
}

export async function startAgentLandscape({
  cluster,
  isOwn = false,
  kubeconfigFor,
  hasCore = true,
  release,
}: AgentLandscapeOptions): Promise<AgentLandscape> {
  const suffix = randomBytes(4).toString("hex");
  const name = `edge-${suffix}`;
  const namespace = harnessNamespace;
  // The account on the landscaper cluster has the name by which its writes are bounded.
  const accountOf = (side: string): string =>
    side === "landscaper" ? agentAccountName(name) : `agent-${side}-${suffix}`;
  const accounts: readonly ServiceAccount[] = ["landscaper", "host"].map((side) => ({
    name: accountOf(side),
    chart: "landscaper-agent",
    has: (file) => file.startsWith(`${side}-`),
    environment: name,
    ...(release === undefined ? {} : { release }),
  }));
  const environment = await startEnvironment({
    cluster,
    isOwn: isOwn || !hasCore,
    api: hasCore,
    services: hasCore ? ["landscaper-core"] : [],
    separateTarget: false,
    configs: { "landscaper-core": { deployerManagement: { namespace, leaseNamespace: namespace } } },
  });
  const { client, hub } = environment;
  const folder = mkdtempSync(join(tmpdir(), "landscaper-e2e-agent-"));
  const agents: AgentProcess[] = [];
  const tokens = await createServiceAccounts(client, accounts);
  const kubeconfigOf = async (side: string): Promise<string> => {
    const token = tokens.get(accountOf(side)) ?? "";
    const direct = { name: side, server: hub.url, ca: hub.ca, user: { token } };
    return (await kubeconfigFor?.(token, hub)) ?? createKubeconfig(direct);
  };
  const landscaperFile = join(folder, "landscaper");
  writeFileSync(landscaperFile, await kubeconfigOf("landscaper"), { mode: 0o600 });

  async function createEnvironment(namespaces: readonly string[] = [namespace]): Promise<void> {
    if ((await client.find(resources.environment, { name })) !== undefined) return;
    await client.create(resources.environment, buildPendingEnvironment({ name, namespaces, server: hub.url }));
  }

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
    const describe = (): Promise<string> =>
      Promise.resolve(`${JSON.stringify(last, undefined, 1)}\n${environment.describeLogs()}`);
    await waitFor(find, { describe });
    return last;
  }
  return {
    environment,
    client,
    suffix,
    name,
    names: agentNames(name),
    namespace,
    createEnvironment,
    async createAgent({ pod, host, config = {}, args = [], bundles, createsEnvironment = false } = {}) {
      const { namespaces = [namespace] } = config as { readonly namespaces?: readonly string[] }; // the agent checks it
      if (!createsEnvironment) await createEnvironment(namespaces);
      const agent = await createServiceProcess({
        name: "landscaper-agent",
        ...(pod === undefined ? {} : { pod }),
        folder,
        kubeconfig: host ?? (await kubeconfigOf("host")),
        config: { name, namespace, landscaperNamespace: namespace, namespaces: [namespace], ...config },
        args: ["--landscaper-kubeconfig", landscaperFile, ...args],
        restarts: true,
        bundles,
      });
      agents.push(agent);
      return agent;
    },
    until,
    async untilSucceeded(succeeded) {
      const isSo = ({ phase, succeeded: count }: { phase?: string | undefined; succeeded?: string | undefined } = {}) =>
        phase === "Succeeded" && count === succeeded;
      await until(resources.environment, { name }, (object) => isSo(object?.status));
    },
    async stop() {
      for (const agent of agents) await agent.stop();
      await environment.stop();
      rmSync(folder, { recursive: true });
    },
  };
}
