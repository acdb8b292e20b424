import type { SimulationOptions } from "../simulation/simulation-options.ts";
import type { FaultRule } from "./faults.ts";

export interface LocalClusterOptions {
  /** Port on 127.0.0.1; default: any free one. */
  readonly port?: number;
  readonly clock?: ClusterClock;
  /** Told of each request that its user has no right to. */
  readonly onRefusal?: ((refusal: Refusal) => void) | undefined;
  /** "rbac": Roles and bindings decide; default: whoever is authenticated may do everything. */
  readonly authorization?: "always-allow" | "rbac";
  /** Lets workloads and pods go through the status of a real cluster, on a node that runs nothing. Default: false. */
  readonly simulateWorkloads?: boolean | SimulationOptions;
}

/** A request that no rule allows. */
export interface Refusal {
  readonly user: string;
  readonly verb: string;
  readonly group: string;
  /** Plural; with "/" and the subresource, if it is one. A path that is no resource has itself. */
  readonly resource: string;
  /** "" in all namespaces. */
  readonly namespace: string;
}

/** Time of the cluster: timestamps, expiry of tokens, time-outs of watches. */
export interface ClusterClock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls `callback` after `ms`; the returned function cancels. */
  schedule(ms: number, callback: () => void): () => void;
}

/** A Kubernetes API server in this process, with its controllers. All data is lost with `stop`. */
export interface LocalCluster {
  /** "https://127.0.0.1:<port>" */
  readonly url: string;
  readonly caPem: string;
  /** Of a cluster admin (group system:masters); YAML with inline data. */
  readonly kubeconfig: string;
  /** The admin's bearer token. */
  readonly adminToken: string;
  kubeconfigFor(user: { readonly name: string; readonly groups?: readonly string[] }): string;
  /** Makes requests fail on purpose; undefined ends it. */
  setFault(rule: FaultRule | undefined): void;
  /** Cuts the connections of all running watches. */
  cutWatches(): void;
  /** Forgets history: watches from an older resourceVersion and continued lists are answered 410. */
  compact(): void;
  /** Closes the port and all connections, but keeps the data. */
  pause(): Promise<void>;
  /** Listens again on the same port. */
  resume(): Promise<void>;
  stop(): Promise<void>;
}
