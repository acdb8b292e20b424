import { agentLeaseAnnotations, formatKey, keyOf, type Lease } from "@landscaper/api";

/** Why the agent of `host` may not work: another one, of another cluster or namespace, has its name. Undefined for its own replicas. Pure. */
export function findRival(lease: Lease | undefined, environment: string, host: string): string | undefined {
  const holder = lease?.spec?.holderIdentity ?? "";
  const other = lease?.metadata.annotations?.[agentLeaseAnnotations.host];
  if (lease === undefined || holder === "" || other === undefined || other === host) return undefined;
  return `another agent serves Environment ${environment}: ${holder} of the cluster and namespace ${other}, this one is of ${host} (give this agent another name, or end the other one; after that, the Lease ${formatKey(keyOf(lease))} on the landscaper cluster expires)`;
}
