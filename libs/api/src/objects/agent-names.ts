import { groupName } from "./api-group.ts";

/** Names of Installations have at most 58 characters: one for the registration, one for the hyphen. */
const maxEnvironmentName = 56;
const dnsLabel = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;

/** What the name of an Environment with deployers has to be, for messages. */
export const environmentNameRule = `a DNS label of at most ${maxEnvironmentName} characters (lower-case letters, digits and -)`;

export function isEnvironmentName(name: string): boolean {
  return name.length <= maxEnvironmentName && dnsLabel.test(name);
}

/** Names of what belongs to the agent of an Environment (docs/reference/deployer-management.md#agent). */
export interface AgentNames {
  /** On the host: the ServiceAccount by which the agent's helm deployer installs deployers. */
  readonly account: string;
  /** On the host: its ClusterRole and ClusterRoleBinding. */
  readonly role: string;
  /** On the host: the Secret with the kubeconfig of the account. */
  readonly accessSecret: string;
  /** Of the helm deployer, in `status.deployer.identity`. */
  readonly identity: string;
  /** On the landscaper cluster: the Lease of the agent, which is its heartbeat. */
  readonly lease: string;
  /** On the landscaper cluster: the Role and RoleBinding by which the core lists the Secrets that the agent may read. */
  readonly secretsRole: string;
}

export function agentNames(environment: string): AgentNames {
  return {
    account: `deployer-${environment}`,
    role: `landscaper:agent:deployer:${environment}`,
    accessSecret: `${environment}-target-access`,
    identity: `agent-helm-deployer-${environment}`,
    lease: `landscaper-agent-${environment}`,
    secretsRole: `landscaper:agent:secrets:${environment}`,
  };
}

/** Annotations of the Lease of an agent: what it knows of itself and its cluster. */
export const agentLeaseAnnotations = {
  agentVersion: `deployers.${groupName}/agent-version`,
  /** Of the Kubernetes of the host, such as v1.34.1. */
  clusterVersion: `deployers.${groupName}/cluster-version`,
  /** Tells hosts apart: the UID of the namespace kube-system there, and the namespace of the agent's objects. */
  host: `deployers.${groupName}/host`,
} as const;

/** Value of the annotation `environments` that stands for every Environment. */
export const allEnvironments = "*";

/** What names of accounts of agents begin with. */
export const agentAccountPrefix = "landscaper-agent-";
/** What names of accounts of managed deployers begin with. */
export const deployerAccountPrefix = "environment.";

/** Name of the account of an agent on the landscaper cluster, and of its roles there. */
export function agentAccountName(environment: string): string {
  return `${agentAccountPrefix}${environment}`;
}

/**
 * Name of the account of a deployer on the landscaper cluster (docs/reference/deployer-management.md#accounts). Neither name has a dot: so the name
 * of the account says which Environment it is of.
 */
export function deployerAccountName(environment: string, registration: string): string {
  return `${deployerAccountPrefix}${environment}.${registration}`;
}

/** Annotation of the Lease of a deployer's process: `holderIdentity`, which a Lease that was given up does not have any more. */
export const leaseHolderAnnotation = "deployer.landscaper.gardener.cloud/identity";
/** Name of the Lease by whose dry run a deployer looks whether the namespace of Leases is there. It is never made. */
export const leaseProbeName = "deployer-lease-probe";
