import type { UnstructuredObject } from "@landscaper/api";
import { fieldAt, isJsonObject } from "../json-value.ts";
import { findStuckContainer, type Trouble } from "./pod-trouble.ts";
import { groupOf } from "../cluster/resource-reference.ts";

/** How the pods of a workload are found, and which of them tell something about its present spec. */
export interface WorkloadPods {
  /** For the `labelSelector` of a list: with the label of the present revision, where the pods have one. */
  readonly labelSelector: string;
  /** Leaves out pods of former revisions: their trouble may be what the present one repairs. */
  isCurrent(pod: UnstructuredObject): boolean;
  findTrouble(pod: UnstructuredObject): Trouble | undefined;
}

/**
 * Undefined for kinds without pods. A Deployment has its pods through ReplicaSets: `replicaSets` are those of its namespace.
 */
export function podsOf(
  workload: UnstructuredObject,
  replicaSets: readonly UnstructuredObject[],
): WorkloadPods | undefined {
  const labelSelector = selectorOf(workload);
  const isCurrent = currentPodRule(workload, replicaSets);
  if (labelSelector === undefined || isCurrent === undefined) return undefined;
  const isJob = workload.kind === "Job";
  const revision = revisionLabel(workload, replicaSets);
  return {
    labelSelector: revision === undefined ? labelSelector : `${labelSelector},${revision}`,
    isCurrent,
    findTrouble: (pod) => findStuckContainer(pod, { ignoreCrashes: isJob }),
  };
}

/** Narrows the selector to the pods of the present revision. Undefined: this is not possible by a label. */
function revisionLabel(workload: UnstructuredObject, replicaSets: readonly UnstructuredObject[]): string | undefined {
  const equals = (key: string, value: unknown): string | undefined =>
    typeof value === "string" && value !== "" ? `${key}=${value}` : undefined;
  switch (kindOf(workload)) {
    case "apps/Deployment":
      return equals(templateHash, findNewestReplicaSet(workload, replicaSets)?.metadata.labels?.[templateHash]);
    case "apps/StatefulSet":
      return equals(revisionHash, fieldAt(workload, "status", "updateRevision"));
    case "apps/DaemonSet":
      return equals(templateGeneration, workload.metadata.annotations?.[daemonSetGeneration]);
    default:
      return undefined;
  }
}

export function needsReplicaSets(workload: UnstructuredObject): boolean {
  return kindOf(workload) === "apps/Deployment";
}

/** The `labelSelector` text of the pods of a workload; undefined when it has none. Also right for its ReplicaSets. */
export function selectorOf(workload: UnstructuredObject): string | undefined {
  const selector = fieldAt(workload, "spec", "selector");
  if (!isJsonObject(selector)) return undefined;
  const isController = kindOf(workload) === "/ReplicationController";
  const labels = isController ? selector : fieldAt(selector, "matchLabels");
  const equal = isJsonObject(labels) ? Object.entries(labels).map(([key, value]) => `${key}=${String(value)}`) : [];
  const expressions = isController ? undefined : fieldAt(selector, "matchExpressions");
  const others = Array.isArray(expressions) ? expressions.filter(isJsonObject).flatMap(formatExpression) : [];
  const all = [...equal, ...others];
  return all.length === 0 ? undefined : all.join(",");
}

function formatExpression({ key, operator, values }: Record<string, unknown>): string[] {
  if (typeof key !== "string") return [];
  const list = `(${Array.isArray(values) ? values.join(",") : ""})`;
  switch (operator) {
    case "In":
      return [`${key} in ${list}`];
    case "NotIn":
      return [`${key} notin ${list}`];
    case "Exists":
      return [key];
    case "DoesNotExist":
      return [`!${key}`];
    default:
      return [];
  }
}

const revisionAnnotation = "deployment.kubernetes.io/revision";
const daemonSetGeneration = "deprecated.daemonset.template.generation";
const templateHash = "pod-template-hash";
const revisionHash = "controller-revision-hash";
const templateGeneration = "pod-template-generation";

function currentPodRule(
  workload: UnstructuredObject,
  replicaSets: readonly UnstructuredObject[],
): ((pod: UnstructuredObject) => boolean) | undefined {
  switch (kindOf(workload)) {
    case "apps/Deployment": {
      const newest = findNewestReplicaSet(workload, replicaSets);
      return (pod) => newest !== undefined && isControlledBy(pod, newest);
    }
    case "apps/StatefulSet": {
      const revision = fieldAt(workload, "status", "updateRevision");
      return (pod) => isControlledBy(pod, workload) && pod.metadata.labels?.[revisionHash] === revision;
    }
    case "apps/DaemonSet": {
      const generation = workload.metadata.annotations?.[daemonSetGeneration];
      return (pod) => isControlledBy(pod, workload) && pod.metadata.labels?.[templateGeneration] === generation;
    }
    case "apps/ReplicaSet":
    case "/ReplicationController":
    case "batch/Job":
      return (pod) => isControlledBy(pod, workload);
    default:
      return undefined;
  }
}

/** The ReplicaSet of the Deployment's present revision; undefined before its controller has made it. */
function findNewestReplicaSet(
  deployment: UnstructuredObject,
  replicaSets: readonly UnstructuredObject[],
): UnstructuredObject | undefined {
  const revision = deployment.metadata.annotations?.[revisionAnnotation];
  return replicaSets
    .filter((set) => isControlledBy(set, deployment))
    .find((set) => set.metadata.annotations?.[revisionAnnotation] === revision);
}

function isControlledBy({ metadata }: UnstructuredObject, owner: UnstructuredObject): boolean {
  const { uid } = owner.metadata;
  return uid !== undefined && (metadata.ownerReferences ?? []).some((reference) => reference.uid === uid);
}

function kindOf({ apiVersion, kind }: UnstructuredObject): string {
  return `${groupOf(apiVersion)}/${kind}`;
}
