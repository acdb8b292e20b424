import { toYaml } from "@landscaper/goyaml";

export interface AgentValuesOptions {
  readonly environment: string;
  /** Of deployer management, on the landscaper cluster. */
  readonly namespace: string;
  readonly leaseNamespace: string;
  /** Secret. */
  readonly kubeconfig: string;
  /** End of its token in ms since the epoch; undefined when the API server does not say. */
  readonly expiresAt: number | undefined;
}

/** A values file for the chart landscaper-agent. */
export function agentValues(options: AgentValuesOptions): string {
  const { environment, namespace, leaseNamespace, kubeconfig, expiresAt } = options;
  const end = expiresAt === undefined ? "" : ` until ${new Date(expiresAt).toISOString().slice(0, 19)}Z`;
  const values = {
    agent: {
      name: environment,
      landscaperNamespace: namespace,
      leaseNamespace,
      landscaperClusterKubeconfig: { kubeconfig },
    },
  };
  return `# Values of the chart landscaper-agent for Environment ${environment}. Secret: the token in it is valid${end}.\n${toYaml(values)}`;
}
