import type { UnstructuredObject } from "@landscaper/api";
import { fieldAt, isRecord, listAt, numberAt, recordAt, stringAt } from "../../objects/json.ts";
import type { Action } from "../actions.ts";
import { makePod } from "../pod/make-pod.ts";

/** Keeps a pod of a Job until it has been counted. */
export const trackingFinalizer = "batch.kubernetes.io/job-tracking";

const indexKey = "batch.kubernetes.io/job-completion-index";

export function isIndexed(job: UnstructuredObject): boolean {
  return stringAt(job, "spec", "completionMode") === "Indexed";
}

export function isTracked({ metadata }: UnstructuredObject): boolean {
  return (metadata.finalizers ?? []).includes(trackingFinalizer);
}

/** Lets go of a pod that is counted, or needs not to be. */
export function releasePod(pod: UnstructuredObject): Action[] {
  if (!isTracked(pod)) return [];
  const { finalizers = [], ...metadata } = pod.metadata;
  const rest = finalizers.filter((finalizer) => finalizer !== trackingFinalizer);
  return [
    { do: "update", object: { ...pod, metadata: rest.length === 0 ? metadata : { ...metadata, finalizers: rest } } },
  ];
}

/** A pod that the Job itself deletes is not counted when it ends. */
export function deletePod(pod: UnstructuredObject): Action[] {
  return [...releasePod(pod), { do: "delete", object: pod }];
}

export function completionIndex({ metadata }: UnstructuredObject): number | undefined {
  const text = metadata.annotations?.[indexKey];
  return text === undefined ? undefined : Number(text);
}

/** The next pod of a Job; `index` only of an indexed one. */
export function makeJobPod(job: UnstructuredObject, index: number | undefined): UnstructuredObject {
  const name = job.metadata.name ?? "";
  const base = index === undefined ? name : `${name}-${index}`;
  const texts = index === undefined ? {} : { [indexKey]: String(index) };
  const pod = makePod(job, fieldAt(job, "spec", "template"), {
    generateName: `${base}-`,
    labels: texts,
    annotations: texts,
    finalizers: [trackingFinalizer],
  });
  if (index === undefined) return pod;
  const spec = recordAt(pod, "spec");
  const inits = listAt(spec, "initContainers");
  return {
    ...pod,
    spec: {
      ...spec,
      hostname: base,
      ...(inits.length === 0 ? {} : { initContainers: inits.map(withIndex) }),
      containers: listAt(spec, "containers").map(withIndex),
    },
  };
}

function withIndex(container: unknown): unknown {
  if (!isRecord(container)) return container;
  const entry = {
    name: "JOB_COMPLETION_INDEX",
    valueFrom: { fieldRef: { fieldPath: `metadata.labels['${indexKey}']` } },
  };
  return { ...container, env: [...listAt(container, "env"), entry] };
}

/** "0-2,5" of a Job's status as numbers. */
export function parseIndexes(text: string): number[] {
  const ranges = text.split(",").filter((range) => range !== "");
  return ranges.flatMap((range) => {
    const [first = 0, last = first] = range.split("-").map(Number);
    return Array.from({ length: last - first + 1 }, (_value, i) => first + i);
  });
}

export function formatIndexes(indexes: Iterable<number>): string {
  const ranges: { first: number; last: number }[] = [];
  for (const index of [...new Set(indexes)].toSorted((a, b) => a - b)) {
    const range = ranges.at(-1);
    if (range?.last === index - 1) range.last = index;
    else ranges.push({ first: index, last: index });
  }
  // Two neighbours are two entries, as Kubernetes writes them.
  return ranges.map(({ first, last }) => formatRange(first, last)).join(",");
}

function formatRange(first: number, last: number): string {
  if (first === last) return String(first);
  return last === first + 1 ? `${first},${last}` : `${first}-${last}`;
}

/** Restarts of containers in pods that still run, which count against the backoffLimit where pods restart them. */
export function countRestarts(pods: readonly UnstructuredObject[]): number {
  const statuses = pods.flatMap((pod) => [
    ...listAt(pod, "status", "initContainerStatuses"),
    ...listAt(pod, "status", "containerStatuses"),
  ]);
  return statuses.reduce<number>((sum, status) => sum + (numberAt(status, "restartCount") ?? 0), 0);
}
