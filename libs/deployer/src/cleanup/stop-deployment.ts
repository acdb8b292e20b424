import { kubeResources, type Deployment, type Pod } from "@landscaper/api";
import { isNotFound, resourcePath, type Client } from "@landscaper/controller-runtime";
import { selectorOf } from "@landscaper/resources";

/** The Deployment of a service. */
export interface DeploymentPlace {
  readonly namespace: string;
  readonly name: string;
}

export interface StopOptions extends DeploymentPlace {
  readonly client: Client;
  readonly signal: AbortSignal;
}

/**
 * Scales the Deployment to 0: a service that runs would undo the cleanup. One pass; returns the names of Pods that have not ended, and undefined while
 * the controller has not processed the change. A missing Deployment has no Pods.
 */
export async function stopDeployment(options: StopOptions): Promise<readonly string[] | undefined> {
  const { client, namespace, name, signal } = options;
  const deployment = await client.find<Deployment>(kubeResources.deployment, { namespace, name }, { signal });
  if (deployment === undefined) return [];
  if ((deployment.spec?.replicas ?? 1) > 0) return (await scaleDown(options)) ? undefined : [];
  const { observedGeneration = 0, replicas = 0 } = deployment.status ?? {};
  if (observedGeneration < (deployment.metadata.generation ?? 0) || replicas > 0) return undefined;
  const labelSelector = selectorOf({ ...deployment });
  const { items } = await client.list<Pod>(kubeResources.pod, { namespace, labelSelector, signal });
  return items.filter(runs).map(({ metadata }) => metadata.name ?? "");
}

/** False: the Deployment is gone. */
async function scaleDown({ client, namespace, name, signal }: StopOptions): Promise<boolean> {
  try {
    await client.request({
      method: "PATCH",
      path: `${resourcePath(kubeResources.deployment, { namespace, name })}/scale`,
      contentType: "application/merge-patch+json",
      body: { spec: { replicas: 0 } },
      signal,
    });
    return true;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}

function runs({ status }: Pod): boolean {
  return status?.phase !== "Succeeded" && status?.phase !== "Failed";
}
