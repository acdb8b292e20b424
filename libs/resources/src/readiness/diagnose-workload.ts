import type { UnstructuredObject } from "@landscaper/api";
import { checkKstatus } from "./kstatus.ts";
import { explainTrouble, type TroubledPod } from "./explain-trouble.ts";
import { findPodTrouble, type Trouble } from "./pod-trouble.ts";
import { readPods, tolerate } from "./read-pods.ts";
import type { TargetCluster } from "../cluster/target-cluster.ts";

/** Why an object will not become ready by waiting. */
export interface Diagnosis {
  /** Without the object's name. Masked. */
  readonly message: string;
  /** What users can do. */
  readonly remedy?: string | undefined;
}

/**
 * Whether waiting for an object that is not ready is in vain, and why: its own status says so, or a pod of its present revision is
 * stuck. Pods and logs are read as far as the target lets us; what cannot be read is left out.
 */
export async function diagnoseWorkload(
  cluster: TargetCluster,
  live: UnstructuredObject,
  signal: AbortSignal,
): Promise<Diagnosis | undefined> {
  const own = checkKstatus(live);
  const failure = own.status === "failed" ? own.message : undefined;
  const found = await tolerate(
    () => findTroubledPod(cluster, live, { isFailed: failure !== undefined, signal }),
    signal,
  );
  if (found === undefined) return failure === undefined ? undefined : { message: failure };
  const isOwn = found.pod === live;
  const { text, remedy } = await explainTrouble({ ...found, live }, { cluster, signal });
  const where = isOwn ? "" : `Pod ${found.pod.metadata.name}, `;
  const parts = [isOwn ? undefined : failure, `${where}${text}`];
  return { message: parts.filter((part) => part !== undefined).join("; "), remedy };
}

interface SearchOptions {
  /** Whether the workload itself has failed: then also failed pods tell why. */
  readonly isFailed: boolean;
  readonly signal: AbortSignal;
}

async function findTroubledPod(
  cluster: TargetCluster,
  live: UnstructuredObject,
  { isFailed, signal }: SearchOptions,
): Promise<TroubledPod | undefined> {
  if (live.apiVersion === "v1" && live.kind === "Pod") return withTrouble([live], findPodTrouble);
  const found = await readPods(cluster, live, { signal });
  if (found === undefined) return undefined;
  const { pods, rule } = found;
  return withTrouble(pods, isFailed ? findPodTrouble : (pod) => rule.findTrouble(pod));
}

function withTrouble(
  pods: readonly UnstructuredObject[],
  find: (pod: UnstructuredObject) => Trouble | undefined,
): TroubledPod | undefined {
  for (const pod of pods) {
    const trouble = find(pod);
    if (trouble !== undefined) return { pod, trouble };
  }
  return undefined;
}
