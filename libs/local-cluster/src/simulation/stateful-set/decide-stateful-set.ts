import type { UnstructuredObject } from "@landscaper/api";
import { numberAt, stringAt } from "../../objects/json.ts";
import type { Action, Decision } from "../actions.ts";
import type { Fields } from "../conditions.ts";
import { availableAt, countAvailable, isFinished, isReady, isTerminating } from "../pod/pod-state.ts";
import { withoutZeros } from "../replica-set/decide-replica-set.ts";
import type { RevisionHistory } from "../revisions.ts";
import { trimHistory, updateHistory } from "../revisions.ts";
import { createPod, firstOrdinal, ordinalOf, revisionOfPod } from "./stateful-pods.ts";

export interface ObservedStatefulSet {
  readonly set: UnstructuredObject;
  readonly revisions: readonly UnstructuredObject[];
  readonly pods: readonly UnstructuredObject[];
  /** Names of the claims of its namespace. */
  readonly claims: ReadonlySet<string>;
  readonly nowMs: number;
}

interface Plan {
  readonly observed: ObservedStatefulSet;
  readonly history: RevisionHistory;
  /** The revision that pods below the partition keep. */
  readonly current: UnstructuredObject;
  readonly ordinals: readonly number[];
  readonly byOrdinal: ReadonlyMap<number, UnstructuredObject>;
}

/** One pass over a StatefulSet: the next pod to create, replace or delete in its order, and the counts. */
export function decideStatefulSet(observed: ObservedStatefulSet): Decision {
  const plan = makePlan(observed);
  const { set, pods, nowMs } = observed;
  const { status, nextMs } = statefulSetStatus(plan);
  const actions: Action[] = [...plan.history.actions];
  if (!isTerminating(set)) {
    actions.push(...stepPods(plan));
    const used = new Set([...pods.map(revisionOfPod), String(status["currentRevision"]), nameOf(plan.history.update)]);
    actions.push(...trimHistory(set, plan.history.all, (revision) => used.has(nameOf(revision))));
  }
  actions.push({ do: "status", object: set, status });
  return { actions, wakeAtMs: nextMs === undefined ? undefined : Math.max(nextMs, nowMs) };
}

function makePlan(observed: ObservedStatefulSet): Plan {
  const { set, revisions, pods } = observed;
  const history = updateHistory(set, revisions, { hashLabel: "controller.kubernetes.io/hash" });
  const currentName = stringAt(set, "status", "currentRevision");
  const current = history.all.find((revision) => nameOf(revision) === currentName) ?? history.update;
  const start = firstOrdinal(set);
  const ordinals = Array.from({ length: numberAt(set, "spec", "replicas") ?? 1 }, (_value, i) => start + i);
  const byOrdinal = new Map<number, UnstructuredObject>();
  for (const pod of pods) {
    const ordinal = ordinalOf(set, pod);
    if (ordinal !== undefined) byOrdinal.set(ordinal, pod);
  }
  return { observed, history, current, ordinals, byOrdinal };
}

function nameOf({ metadata }: UnstructuredObject): string {
  return metadata.name ?? "";
}

/** Creates and replaces what is missing, then removes what is too much, then updates. */
function stepPods(plan: Plan): Action[] {
  const { observed, ordinals } = plan;
  const isParallel = stringAt(observed.set, "spec", "podManagementPolicy") === "Parallel";
  const actions: Action[] = [];
  for (const ordinal of ordinals) {
    const { actions: own, isSettled } = settle(plan, ordinal);
    actions.push(...own);
    if (!isSettled && !isParallel) return actions;
  }
  const surplus = removeSurplus(plan, isParallel);
  actions.push(...surplus.actions);
  if (!surplus.isDone && !isParallel) return actions;
  return actions.length > 0 ? actions : updateNext(plan);
}

/** What one ordinal needs, and whether the next one may come. */
function settle(plan: Plan, ordinal: number): { readonly actions: Action[]; readonly isSettled: boolean } {
  const { observed, byOrdinal } = plan;
  const pod = byOrdinal.get(ordinal);
  if (pod === undefined) {
    const revision = keepsCurrent(plan, ordinal) ? plan.current : plan.history.update;
    return {
      actions: createPod(observed.set, revision, { ordinal, claims: observed.claims }),
      isSettled: false,
    };
  }
  if (isTerminating(pod)) return { actions: [], isSettled: false };
  if (isFinished(pod)) return { actions: [{ do: "delete", object: pod }], isSettled: false };
  return { actions: [], isSettled: isAvailable(observed, pod) };
}

function isAvailable({ set, nowMs }: ObservedStatefulSet, pod: UnstructuredObject): boolean {
  return availableAt(pod, numberAt(set, "spec", "minReadySeconds") ?? 0) <= nowMs;
}

/** Whether a pod that is made now gets the revision from before the update. */
function keepsCurrent({ observed: { set } }: Plan, ordinal: number): boolean {
  if (stringAt(set, "spec", "updateStrategy", "type") === "OnDelete") return false;
  return ordinal < firstOrdinal(set) + partitionOf(set);
}

function partitionOf(set: UnstructuredObject): number {
  return numberAt(set, "spec", "updateStrategy", "rollingUpdate", "partition") ?? 0;
}

/** Pods above the wanted number go from the last one on; in order, one after the other. */
function removeSurplus(plan: Plan, isParallel: boolean): { readonly actions: Action[]; readonly isDone: boolean } {
  const wanted = new Set(plan.ordinals);
  const surplus = [...plan.byOrdinal].filter(([ordinal]) => !wanted.has(ordinal)).toSorted(([a], [b]) => b - a);
  if (surplus.length === 0) return { actions: [], isDone: true };
  const going = surplus.filter(([, pod]) => isTerminating(pod));
  if (!isParallel && going.length > 0) return { actions: [], isDone: false };
  const chosen = surplus.filter(([, pod]) => !isTerminating(pod)).slice(0, isParallel ? surplus.length : 1);
  return { actions: chosen.map(([, object]) => ({ do: "delete", object })), isDone: false };
}

/** A rolling update deletes the last pod of another revision; the next one when that is back and healthy. */
function updateNext(plan: Plan): Action[] {
  const { observed, ordinals, byOrdinal, history } = plan;
  const { set } = observed;
  if (stringAt(set, "spec", "updateStrategy", "type") === "OnDelete") return [];
  const least = firstOrdinal(set) + partitionOf(set);
  for (const ordinal of ordinals.filter((candidate) => candidate >= least).toReversed()) {
    const pod = byOrdinal.get(ordinal);
    if (pod === undefined) return [];
    const isOld = revisionOfPod(pod) !== nameOf(history.update);
    if (isOld && !isTerminating(pod)) return [{ do: "delete", object: pod }];
    if (isTerminating(pod) || !isAvailable(observed, pod)) return [];
  }
  return [];
}

function statefulSetStatus(plan: Plan): { readonly status: Fields; readonly nextMs: number | undefined } {
  const { observed, history, current } = plan;
  const { set, pods, nowMs } = observed;
  const update = nameOf(history.update);
  const { available, nextMs } = countAvailable(pods, numberAt(set, "spec", "minReadySeconds") ?? 0, nowMs);
  const alive = pods.filter((pod) => !isTerminating(pod));
  const ofRevision = (name: string): number => alive.filter((pod) => revisionOfPod(pod) === name).length;
  const ready = pods.filter(isReady).length;
  const updated = ofRevision(update);
  const wanted = plan.ordinals.length;
  const isRolling = stringAt(set, "spec", "updateStrategy", "type") !== "OnDelete";
  const isUpdated = isRolling && [updated, ready, pods.length].every((count) => count === wanted);
  const currentName = isUpdated ? update : nameOf(current);
  const counts = {
    readyReplicas: ready,
    currentReplicas: isUpdated ? updated : ofRevision(currentName),
    updatedReplicas: updated,
  };
  return {
    status: {
      observedGeneration: set.metadata.generation,
      replicas: pods.length,
      ...withoutZeros(counts),
      currentRevision: currentName,
      updateRevision: update,
      collisionCount: 0,
      availableReplicas: available,
    },
    nextMs,
  };
}
