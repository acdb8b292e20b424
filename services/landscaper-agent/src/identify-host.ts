import { agentLeaseAnnotations, kubeResources, productVersion } from "@landscaper/api";
import type { Client } from "@landscaper/controller-runtime";

export interface HostIdentity {
  /** UID of the cluster: that of its namespace kube-system. */
  readonly cluster: string;
  /** Annotations of the agent's Lease: who and where it is. */
  readonly marks: Readonly<Record<string, string>>;
}

/** Asks a host what tells it from other ones. */
export async function identifyHost(
  client: Pick<Client, "get" | "request">,
  namespace: string,
  signal: AbortSignal,
): Promise<HostIdentity> {
  const { metadata } = await client.get(kubeResources.namespace, { name: "kube-system" }, { signal });
  const version: unknown = await client.request({ method: "GET", path: "/version", signal });
  const clusterVersion: unknown = Reflect.get(Object(version), "gitVersion");
  const { uid = "" } = metadata;
  return {
    cluster: uid,
    marks: {
      [agentLeaseAnnotations.host]: `${uid}/${namespace}`,
      [agentLeaseAnnotations.agentVersion]: `v${productVersion}`,
      ...(typeof clusterVersion === "string" ? { [agentLeaseAnnotations.clusterVersion]: clusterVersion } : {}),
    },
  };
}
