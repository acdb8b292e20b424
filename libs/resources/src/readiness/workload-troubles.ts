import type { UnstructuredObject } from "@landscaper/api";
import type { AwaitedObjects } from "./awaited-objects.ts";
import { describeWorkloadTrouble, describeOwnTrouble, describePodTrouble } from "./describe-pod-trouble.ts";
import { explainTrouble, type ExplainedTrouble } from "./explain-trouble.ts";
import type { Trouble } from "./pod-trouble.ts";
import { readPods, tolerate } from "./read-pods.ts";
import { referenceTo, resourceId } from "../cluster/resource-reference.ts";
import type { TargetCluster } from "../cluster/target-cluster.ts";
import { podsOf, selectorOf } from "./workload-pods.ts";

/** What is known of the pods of one object. Times in ms. */
export interface PodReading {
  /** When the object was first found unready: most are ready before their pods are worth a request. */
  readonly sinceMs: number;
  /** When its pods were last read. */
  readonly readMs?: number | undefined;
  /** Whether the pods, or the object itself, may have changed since. */
  readonly isOld: boolean;
  /** Reads in a row that have failed, such as without the right to read pods. */
  readonly failures: number;
}

/** No pods are read before the object has been unready for so long. Longer than the interval at which a reason is written. */
const graceMs = 2500;
const intervalMs = 2000;
const firstFailureMs = 60_000;
const mostFailureMs = 300_000;

/** When the pods are to be read next; undefined: when something changes. Pure. */
export function nextReadingMs({ sinceMs, readMs, isOld, failures }: PodReading): number | undefined {
  if (readMs === undefined) return sinceMs + graceMs;
  if (failures > 0) return readMs + Math.min(mostFailureMs, firstFailureMs * 2 ** (failures - 1));
  return isOld ? readMs + intervalMs : undefined;
}

/** Of one object, for the reason of a wait. */
export interface WorkloadTrouble {
  /** Undefined: nothing is known to be wrong. */
  readonly found?: ExplainedTrouble | undefined;
  /** Pods whose changes may change the text. */
  readonly awaited: readonly AwaitedObjects[];
  /** When a pass is worth while without any change. */
  readonly lookAgainAfterMs?: number | undefined;
}

export interface TroubleQuestion {
  readonly cluster: TargetCluster;
  /** In ms. */
  readonly elapsedMs: number;
  readonly signal: AbortSignal;
}

interface Known {
  reading: PodReading;
  /** Of the object, at the last reading. */
  version: string | undefined;
  found: ExplainedTrouble | undefined;
  /** Version of a Pod that `found` is about. */
  foundIn?: string | undefined;
  /** Several checks may look at one object at a time. */
  underWay: Promise<void> | undefined;
}

/** One page of small pods: an example is enough. */
const podsRead = 50;
/** An explanation must not keep the job waiting, whatever the target does. */
const readingTimeoutMs = 2000;

/**
 * What is wrong with the pods of the objects that a job waits for; kept over its passes. Pods are read some seconds after their object was
 * found unready, and again only when a watch tells of a change, at most every 2 s. Where pods cannot be read or watched, that part is
 * left out.
 */
export class WorkloadTroubles {
  readonly #clusters = new WeakMap<TargetCluster["client"], Map<string, Known>>();

  async of(live: UnstructuredObject, question: TroubleQuestion): Promise<WorkloadTrouble> {
    const { cluster, elapsedMs } = question;
    const own = isPod(live) ? describeOwnTrouble(live) : describeWorkloadTrouble(live);
    const labelSelector = selectorOf(live);
    if (labelSelector === undefined || podsOf(live, []) === undefined) {
      return { found: own === undefined ? undefined : await this.#explainOnce(own, live, question), awaited: [] };
    }
    const known = this.#enter(live, question);
    const dueMs = nextReadingMs(known.reading);
    if (dueMs !== undefined && dueMs <= elapsedMs) known.underWay = read(known, live, question);
    await known.underWay;
    const nextMs = nextReadingMs(known.reading);
    const found = own === undefined ? known.found : await explainTrouble({ trouble: own, pod: live, live }, question);
    const lookAgainAfterMs = nextMs === undefined ? undefined : Math.max(0, nextMs - elapsedMs);
    if (known.reading.readMs === undefined) return { found, awaited: [], lookAgainAfterMs };
    const { namespace } = live.metadata;
    const onNews = (): void => {
      known.reading = { ...known.reading, isOld: true };
    };
    const pods = { cluster, apiVersion: "v1", kind: "Pod", namespace, labelSelector, isOptional: true, onNews };
    return { found, awaited: [pods], lookAgainAfterMs };
  }

  /** A log is read once for each version of a Pod. */
  async #explainOnce(own: Trouble, pod: UnstructuredObject, question: TroubleQuestion): Promise<ExplainedTrouble> {
    const known = this.#enter(pod, question);
    const { resourceVersion: version } = pod.metadata;
    if (known.found === undefined || known.foundIn !== version)
      known.found = await explainTrouble({ trouble: own, pod, live: pod }, question);
    known.foundIn = version;
    return known.found;
  }

  #enter(live: UnstructuredObject, { cluster, elapsedMs }: TroubleQuestion): Known {
    const ofCluster = this.#clusters.get(cluster.client) ?? new Map<string, Known>();
    this.#clusters.set(cluster.client, ofCluster);
    const id = resourceId(referenceTo(live));
    const { resourceVersion: version } = live.metadata;
    const fresh = { sinceMs: elapsedMs, isOld: true, failures: 0 };
    const known: Known = ofCluster.get(id) ?? { reading: fresh, version, found: undefined, underWay: undefined };
    if (known.version !== version) known.reading = { ...known.reading, isOld: true };
    known.version = version;
    ofCluster.set(id, known);
    return known;
  }
}

function isPod({ apiVersion, kind }: UnstructuredObject): boolean {
  return apiVersion === "v1" && kind === "Pod";
}

async function read(
  known: Known,
  live: UnstructuredObject,
  { cluster, elapsedMs, signal }: TroubleQuestion,
): Promise<void> {
  const { sinceMs, readMs, failures } = known.reading;
  // Old after the first reading as well: the watch of the pods begins later.
  known.reading = { sinceMs, readMs: elapsedMs, isOld: readMs === undefined, failures: 0 };
  const limit = AbortSignal.any([signal, AbortSignal.timeout(readingTimeoutMs)]);
  const read = await tolerate(async () => {
    const { pods } = (await readPods(cluster, live, { enough: podsRead, signal: limit })) ?? { pods: [] };
    const trouble = describePodTrouble(pods);
    if (trouble === undefined) return { found: undefined };
    return { found: await explainTrouble({ trouble, pod: trouble.pod, live }, { cluster, signal: limit }) };
  }, signal);
  known.found = read?.found;
  if (read === undefined) known.reading = { ...known.reading, failures: failures + 1 };
}
