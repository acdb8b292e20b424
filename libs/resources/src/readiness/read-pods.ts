import type { UnstructuredObject } from "@landscaper/api";
import type { TargetCluster } from "../cluster/target-cluster.ts";
import { needsReplicaSets, podsOf, selectorOf, type WorkloadPods } from "./workload-pods.ts";

export interface ReadPodsOptions {
  /** Only the first pods, in one page: enough for an example. Default: all. */
  readonly enough?: number | undefined;
  readonly signal: AbortSignal;
}

export interface FoundPods {
  /** Of the present revision. */
  readonly pods: readonly UnstructuredObject[];
  readonly rule: WorkloadPods;
}

/** The pods of a workload. Undefined for kinds without pods. Throws ApiError or ConnectionError. */
export async function readPods(
  cluster: TargetCluster,
  workload: UnstructuredObject,
  { enough, signal }: ReadPodsOptions,
): Promise<FoundPods | undefined> {
  const labelSelector = selectorOf(workload);
  if (labelSelector === undefined || podsOf(workload, []) === undefined) return undefined;
  const { namespace } = workload.metadata;
  const sets = { apiVersion: "apps/v1", kind: "ReplicaSet", namespace, labelSelector, metadataOnly: true, signal };
  const rule = podsOf(workload, needsReplicaSets(workload) ? await listIn(cluster, sets) : []);
  if (rule === undefined) return undefined;
  const page = enough === undefined ? {} : { limit: enough, enough };
  const query = { apiVersion: "v1", kind: "Pod", namespace, labelSelector: rule.labelSelector, ...page, signal };
  const pods = (await listIn(cluster, query)).filter((pod) => rule.isCurrent(pod));
  return { pods, rule };
}

interface ListQuery {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string | undefined;
  readonly labelSelector: string;
  readonly metadataOnly?: boolean | undefined;
  readonly limit?: number | undefined;
  readonly enough?: number | undefined;
  readonly signal: AbortSignal;
}

async function listIn(
  { client, discovery }: TargetCluster,
  { apiVersion, kind, signal, ...query }: ListQuery,
): Promise<UnstructuredObject[]> {
  const type = await discovery.find(apiVersion, kind, signal);
  if (type === undefined) return [];
  const { items } = await client.list(type, { ...query, signal });
  return items.map((item) => ({ ...item, apiVersion, kind }));
}

/** For what only explains: undefined instead of an error, so that it never hides what it explains. */
export async function tolerate<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  try {
    return await work();
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}
