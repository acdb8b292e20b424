import { kubeResources } from "@landscaper/api";
import type { AgentContext } from "./agent-context.ts";
import type { ObservedAgent } from "./decide-agent.ts";

/** Reads Environment and Target from the cache, and the host from its API server. */
export async function observeAgent(context: AgentContext, signal: AbortSignal): Promise<ObservedAgent> {
  const { settings, host, environments, targets, hostCluster } = context;
  const { environment, names, namespace, landscaperNamespace } = settings;
  const [account, role, binding, secret] = await Promise.all([
    host.find(kubeResources.serviceAccount, { namespace, name: names.account }, { signal }),
    host.find(kubeResources.clusterRole, { name: names.role }, { signal }),
    host.find(kubeResources.clusterRoleBinding, { name: names.role }, { signal }),
    host.find(kubeResources.secret, { namespace, name: names.accessSecret }, { signal }),
  ]);
  return {
    environment: environments.get({ name: environment }),
    hostTarget: targets.get({ namespace: landscaperNamespace, name: environment }),
    hostCluster: hostCluster(),
    host: { account, role, binding, secret },
  };
}
