import { agentLeaseAnnotations, kubeResources, productVersion } from "@landscaper/api";
import type { Client } from "@landscaper/controller-runtime";

/** Annotations of the agent's Lease: who and where it is. */
export async function identifyHost(
  client: Pick<Client, "get" | "request">,
  namespace: string,
  signal: AbortSignal,
): Promise<Readonly<Record<string, string>>> {
  const { metadata } = await client.get(kubeResources.namespace, { name: "kube-system" }, { signal });
  const version: unknown = await client.request({ method: "GET", path: "/version", signal });
  const clusterVersion: unknown = Reflect.get(Object(version), "gitVersion");
  return {
    [agentLeaseAnnotations.host]: `${metadata.uid ?? ""}/${namespace}`,
    [agentLeaseAnnotations.agentVersion]: `v${productVersion}`,
    ...(typeof clusterVersion === "string" ? { [agentLeaseAnnotations.clusterVersion]: clusterVersion } : {}),
  };
}
