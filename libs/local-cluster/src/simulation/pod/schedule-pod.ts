import type { UnstructuredObject } from "@landscaper/api";
import { listAt, recordAt, stringAt } from "../../objects/json.ts";

/**
 * Whether a node takes a pod by what is simulated of scheduling: the pod's nodeSelector and required names of nodes. Taints, resources and
 * other affinities are not looked at.
 */
export function fitsNode(podSpec: unknown, node: UnstructuredObject): boolean {
  const { name = "", labels = {} } = node.metadata;
  const selected = Object.entries(recordAt(podSpec, "nodeSelector")).every(([key, value]) => labels[key] === value);
  const names = namesOf(podSpec);
  return selected && (names.length === 0 || names.includes(name));
}

/** The names of nodes that required terms ask for, as the pods of DaemonSets have them. */
function namesOf(podSpec: unknown): readonly unknown[] {
  const required = recordAt(podSpec, "affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution");
  return listAt(required, "nodeSelectorTerms").flatMap((term) =>
    listAt(term, "matchFields")
      .filter((field) => stringAt(field, "key") === "metadata.name" && stringAt(field, "operator") === "In")
      .flatMap((field) => listAt(field, "values")),
  );
}

/** What the scheduler says of a pod that its selectors keep from the only node. */
export const unfitMessage = "0/1 nodes are available: 1 node(s) didn't match Pod's node affinity/selector.";

/** Status of a pod that waits for a node. */
export function unschedulableStatus(pod: UnstructuredObject, message: string, now: string): Record<string, unknown> {
  const status = recordAt(pod, "status");
  const conditions = listAt(status, "conditions");
  const old = conditions.find((condition) => stringAt(condition, "type") === "PodScheduled");
  const generation = pod.metadata.generation;
  const condition = {
    type: "PodScheduled",
    ...(generation === undefined ? {} : { observedGeneration: generation }),
    status: "False",
    lastProbeTime: null,
    lastTransitionTime: stringAt(old, "lastTransitionTime") || now,
    reason: "Unschedulable",
    message,
  };
  return { ...status, conditions: [...conditions.filter((candidate) => candidate !== old), condition] };
}
