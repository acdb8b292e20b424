// A landscaper cluster and a host, both with RBAC, and agents with the rights that they ask for and no others. As agents of the hub, they may create their Environment.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  agentDeployerRights,
  agentEnvironmentRights,
  agentHostRights,
  agentNamespaceRights,
  agentNames,
  agentSecretRules,
  environmentCreationRights,
  kubeResources,
  leaseRights,
  policyRulesOf,
  resources,
  type Right,
} from "@landscaper/api";
import type { Client } from "@landscaper/controller-runtime";
import { requestToken } from "@landscaper/deployer";
import {
  findFreePorts,
  startApiProxy,
  startEmbeddedCluster,
  type ApiProxy,
  type EmbeddedCluster,
} from "@landscaper/testkit";
import type { HelmDeployer } from "@landscaper/helm-deployer-lib";
import { runAgent } from "../src/run-agent.ts";

export const environment = "env";
export const hostNamespace = "deployers";
const hubNamespace = "ls-system";

export interface StartedAgent {
  /** What /readyz says, or undefined while nobody listens. */
  readiness(): Promise<string | undefined>;
  /** Replaces its kubeconfig of the landscaper cluster, as a kubelet does when the Secret has changed. */
  mount(kubeconfig: string): Promise<void>;
  /** Resolves when the process has ended, with the error when it failed. */
  readonly ended: Promise<unknown>;
  stop(): Promise<void>;
}

export interface AgentClusters {
  readonly hub: EmbeddedCluster;
  readonly host: EmbeddedCluster;
  /** Between agents and the landscaper cluster. */
  readonly link: ApiProxy;
  /** Revokes the credentials of all agents on the landscaper cluster. Resolves to a kubeconfig with new ones, which agents get from now on. */
  renewCredentials(): Promise<string>;
  /** `host`: cluster other than the first host. `namespaces`: list in the configuration, by default [tenant]; an empty list omits the field. */
  start(options?: {
    readonly pod?: string;
    readonly host?: EmbeddedCluster;
    readonly leaseSeconds?: number;
    readonly namespaces?: readonly string[];
  }): Promise<StartedAgent>;
  stop(): Promise<void>;
}

interface Grant {
  readonly rights: readonly Right[];
  /** Absent: in all. */
  readonly namespace?: string;
}

/** Gives the account "agent" rights. */
async function grant(client: Client, account: string, { rights, namespace }: Grant): Promise<void> {
  const apiVersion = "rbac.authorization.k8s.io/v1";
  const metadata = { name: "agent", ...(namespace === undefined ? {} : { namespace }) };
  const kind = namespace === undefined ? "ClusterRole" : "Role";
  const roleType = namespace === undefined ? kubeResources.clusterRole : kubeResources.role;
  const bindingType = namespace === undefined ? kubeResources.clusterRoleBinding : kubeResources.roleBinding;
  await client.create(roleType, { apiVersion, kind, metadata, rules: [...policyRulesOf(rights)] });
  await client.create(bindingType, {
    apiVersion,
    kind: `${kind}Binding`,
    metadata,
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind, name: "agent" },
    subjects: [{ kind: "ServiceAccount", name: "agent", namespace: account }],
  });
}

async function createAccount(client: Client, namespace: string): Promise<string> {
  const metadata = { namespace, name: "agent" };
  await client.create(kubeResources.serviceAccount, { apiVersion: "v1", kind: "ServiceAccount", metadata });
  const { token } = await requestToken(client, { ...metadata, audiences: [], expirationSeconds: 3600 * 24 });
  return token;
}

/** A cluster for agents, and the token of their account. */
export async function startHost(): Promise<EmbeddedCluster> {
  const host = await startEmbeddedCluster({ authorization: "rbac" });
  await host.createNamespace(hostNamespace);
  await grant(host.client, hostNamespace, { rights: agentHostRights(environment) });
  await grant(host.client, hostNamespace, { rights: agentNamespaceRights(environment), namespace: hostNamespace });
  return host;
}

/** `deployer`: one for all agents, whose rendering does not have to be started for each. */
export async function startAgentClusters({
  deployer,
}: { readonly deployer?: HelmDeployer } = {}): Promise<AgentClusters> {
  const [hub, host] = await Promise.all([startEmbeddedCluster({ crds: true, authorization: "rbac" }), startHost()]);
  await hub.createNamespace(hubNamespace);
  await grant(hub.client, hubNamespace, {
    rights: [...environmentCreationRights, ...agentEnvironmentRights(environment)],
  });
  await grant(hub.client, hubNamespace, { rights: [...agentDeployerRights, ...leaseRights], namespace: hubNamespace });
  const { url, caPem } = hub.server;
  const token = await createAccount(hub.client, hubNamespace);
  const link = await startApiProxy({ upstream: { url, ca: caPem }, token });
  let kubeconfig = link.kubeconfig;
  const folder = await mkdtemp(join(tmpdir(), "landscaper-agent-"));
  const agents: StartedAgent[] = [];
  let count = 0;
  const start: AgentClusters["start"] = async (options = {}) => {
    const { pod = "agent-0", host: where = host, leaseSeconds = 300, namespaces = ["tenant"] } = options;
    const number = count;
    const at = (name: string): string => join(folder, `${name}-${number}`);
    const landscaper = at("landscaper");
    count += 1;
    const hostUser = { name: `system:serviceaccount:${hostNamespace}:agent`, groups: ["system:serviceaccounts"] };
    const lists = namespaces.length === 0 ? {} : { namespaces };
    // JSON is YAML.
    await writeFile(at("config"), JSON.stringify({ name: environment, namespace: hostNamespace, ...lists }));
    await writeFile(landscaper, kubeconfig);
    await writeFile(at("host"), where.server.kubeconfigFor(hostUser));
    const [port = 0] = await findFreePorts(1);
    const stopping = new AbortController();
    const files = ["--config", at("config"), "--landscaper-kubeconfig", landscaper, "--kubeconfig", at("host")];
    const flags = ["--metrics-port", String(port), "--lease-duration", `${leaseSeconds}s`, "-v", "silent"];
    // It is closed by the test, not by the first agent that ends.
    const shared = deployer && { ...deployer, close: async () => {} };
    const own = shared === undefined ? {} : { createDeployer: () => shared };
    const process = { argv: [...files, ...flags], env: { MY_POD_NAME: pod }, ...own };
    const ended = runAgent(process, stopping.signal).then(
      () => undefined,
      (error: unknown) => error,
    );
    const agent: StartedAgent = {
      readiness: async () => {
        const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
        return answer?.ok === true ? "ready" : await answer?.text();
      },
      mount: async (text) => await writeFile(landscaper, text),
      ended,
      stop: async () => {
        stopping.abort(new Error("the test ends"));
        await ended;
      },
    };
    agents.push(agent);
    return agent;
  };
  return {
    hub,
    host,
    link,
    renewCredentials: async () => {
      await hub.client.delete(kubeResources.serviceAccount, { namespace: hubNamespace, name: "agent" });
      kubeconfig = link.kubeconfigFor(await createAccount(hub.client, hubNamespace));
      return kubeconfig;
    },
    start,
    stop: async () => {
      await Promise.all(agents.map((agent) => agent.stop()));
      await link.stop();
      await Promise.all([hub.stop(), host.stop()]);
      await rm(folder, { recursive: true });
    },
  };
}

/** Lists Secrets for the account of the agents as the core does. */
export async function listSecrets({ client }: EmbeddedCluster, names: readonly string[]): Promise<void> {
  const apiVersion = "rbac.authorization.k8s.io/v1";
  const { secretsRole: name } = agentNames(environment);
  const metadata = { namespace: hubNamespace, name };
  await client.create(kubeResources.role, { apiVersion, kind: "Role", metadata, rules: [...agentSecretRules(names)] });
  await client.create(kubeResources.roleBinding, {
    apiVersion,
    kind: "RoleBinding",
    metadata,
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name },
    subjects: [{ kind: "ServiceAccount", name: "agent", namespace: hubNamespace }],
  });
}

/** Makes the Target of the host as the core does, beside its DeployItems. */
export async function createHostTarget(hub: EmbeddedCluster, namespace: string): Promise<void> {
  const { spec } = await hub.client.get(resources.environment, { name: environment });
  const { annotations, type, config } = spec.hostTarget;
  await hub.client.create(resources.target, {
    apiVersion: "landscaper.gardener.cloud/v1alpha1",
    kind: "Target",
    metadata: { name: environment, namespace, ...(annotations && { annotations }) },
    spec: { type, config },
  });
}
