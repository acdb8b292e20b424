/** How a replica of the core is called. */
export interface ReplicaNames {
  /** In events, metrics and user agents. */
  readonly instance: string;
  /** In Leases: differs between all processes that compete, and is the same again after a restart within a pod. */
  readonly identity: string;
}

export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly hostname: string;
  readonly newId: () => string;
}

/** A pod has one core. Elsewhere there can be several on a host, and none may take the other's Lease for its own. */
export function nameReplica({ env, hostname, newId }: Surroundings): ReplicaNames {
  const pod = env["MY_POD_NAME"] ?? "";
  return pod === "" ? { instance: hostname, identity: `${hostname}_${newId()}` } : { instance: pod, identity: pod };
}
