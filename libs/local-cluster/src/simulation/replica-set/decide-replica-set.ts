import type { UnstructuredObject } from "@landscaper/api";
import { fieldAt, numberAt, recordAt, stringAt } from "../../objects/json.ts";
import { matchesLabelSelector } from "../../selectors/match-label-selector.ts";
import { formatTime } from "../../rest/rest-context.ts";
import type { Action, Decision } from "../actions.ts";
import { nothing } from "../actions.ts";
import type { Fields } from "../conditions.ts";
import { conditionsOf, withCondition, withoutCondition } from "../conditions.ts";
import { makePod, texts } from "../pod/make-pod.ts";
import { countAvailable, isActive, isReady, isTerminating, phaseIn } from "../pod/pod-state.ts";

export interface ObservedReplicaSet {
  readonly set: UnstructuredObject;
  /** Those that it controls. */
  readonly pods: readonly UnstructuredObject[];
  /** Why pods could not be created just now. */
  readonly failure?: string | undefined;
  readonly nowMs: number;
}

/** How many pods come in one pass at most; the others follow, as in Kubernetes. */
const burst = 500;

/** Creates or deletes pods until their number is right, and counts them. */
export function decideReplicaSet(observed: ObservedReplicaSet): Decision {
  const { set, pods, nowMs, failure } = observed;
  const active = pods.filter(isActive);
  const wanted = numberAt(set, "spec", "replicas") ?? 1;
  const { status, wakeAtMs } = replicaSetStatus(observed, active);
  const actions: Action[] = [];
  if (!isTerminating(set) && failure === undefined) {
    const missing = Math.min(wanted - active.length, burst);
    for (let i = 0; i < missing; i += 1) actions.push({ do: "create", object: newPod(set) });
    if (missing < 0) {
      const surplus = active.toSorted((a, b) => rankForDeletion(a, b)).slice(0, -missing);
      actions.push(...surplus.map((object): Action => ({ do: "delete", object })));
    }
  }
  actions.push({ do: "status", object: set, status });
  return { ...nothing, actions, wakeAtMs: wakeAtMs === undefined ? undefined : Math.max(wakeAtMs, nowMs) };
}

function newPod(set: UnstructuredObject): UnstructuredObject {
  return makePod(set, fieldAt(set, "spec", "template"), { generateName: `${set.metadata.name ?? ""}-` });
}

function replicaSetStatus(
  { set, nowMs, failure }: ObservedReplicaSet,
  active: readonly UnstructuredObject[],
): { readonly status: Fields; readonly wakeAtMs: number | undefined } {
  const templateLabels = { matchLabels: texts(fieldAt(set, "spec", "template", "metadata", "labels")) };
  const labeled = active.filter(({ metadata }) => matchesLabelSelector(templateLabels, metadata.labels));
  const { available, nextMs } = countAvailable(active, numberAt(set, "spec", "minReadySeconds") ?? 0, nowMs);
  const conditions = failureConditions(set, failure, formatTime(nowMs));
  const counts = {
    fullyLabeledReplicas: labeled.length,
    readyReplicas: active.filter(isReady).length,
    availableReplicas: available,
  };
  const status = {
    replicas: active.length,
    ...withoutZeros(counts),
    observedGeneration: set.metadata.generation,
    ...(conditions.length === 0 ? {} : { conditions }),
  };
  return { status, wakeAtMs: nextMs };
}

function failureConditions(set: UnstructuredObject, failure: string | undefined, now: string): readonly Fields[] {
  const conditions = conditionsOf(set);
  if (failure === undefined) return withoutCondition(conditions, "ReplicaFailure");
  const condition = { type: "ReplicaFailure", status: "True", reason: "FailedCreate", message: failure } as const;
  return withCondition(conditions, condition, { now });
}

/** The counts as Go writes them where the field is optional. */
export function withoutZeros(counts: Readonly<Record<string, number>>): Fields {
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0));
}

/** Which of two pods goes first: unscheduled, pending, not ready, often restarted, new ones before others. */
function rankForDeletion(a: UnstructuredObject, b: UnstructuredObject): number {
  const ranks = [
    (pod: UnstructuredObject) => (stringAt(pod, "spec", "nodeName") === "" ? 0 : 1),
    (pod: UnstructuredObject) => (phaseIn(pod) === "Pending" ? 0 : 1),
    (pod: UnstructuredObject) => (isReady(pod) ? 1 : 0),
    (pod: UnstructuredObject) => Number(pod.metadata.annotations?.[deletionCost] ?? 0),
    (pod: UnstructuredObject) => -restartsOf(pod),
    (pod: UnstructuredObject) => -Date.parse(pod.metadata.creationTimestamp ?? ""),
  ];
  for (const rank of ranks) {
    const difference = rank(a) - rank(b);
    if (difference !== 0) return difference;
  }
  return (a.metadata.name ?? "") < (b.metadata.name ?? "") ? -1 : 1;
}

const deletionCost = "controller.kubernetes.io/pod-deletion-cost";

function restartsOf(pod: UnstructuredObject): number {
  const statuses = recordAt(pod, "status")["containerStatuses"];
  if (!Array.isArray(statuses)) return 0;
  return Math.max(0, ...statuses.map((status) => numberAt(status, "restartCount") ?? 0));
}
