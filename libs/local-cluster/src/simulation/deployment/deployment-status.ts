import type { UnstructuredObject } from "@landscaper/api";
import { numberAt, stringAt } from "../../objects/json.ts";
import { formatTime } from "../../rest/rest-context.ts";
import type { Condition, Fields } from "../conditions.ts";
import { conditionsOf, findCondition, withCondition, withoutCondition } from "../conditions.ts";
import { withoutZeros } from "../replica-set/decide-replica-set.ts";
import type { Rollout } from "./rollout.ts";
import { allSets, availableOf, progressDeadline, replicasOf, sum, tolerances } from "./rollout.ts";

const timeFields = ["lastUpdateTime"];

export function setDeploymentCondition(
  conditions: readonly Fields[],
  condition: Condition,
  nowMs: number,
): readonly Fields[] {
  return withCondition(conditions, condition, { now: formatTime(nowMs), timeFields });
}

export function progressing(status: Condition["status"], reason: string, message: string): Condition {
  return { type: "Progressing", status, reason, message };
}

export interface StatusInput {
  readonly rollout: Rollout;
  /** As they are after what this pass has said of ReplicaSets that it found or made. */
  readonly conditions: readonly Fields[];
  /** False while the Deployment is paused or being scaled. */
  readonly checksProgress: boolean;
  readonly nowMs: number;
}

/** Counts and conditions; `wakeAtMs` when the progress deadline runs out. */
export function deploymentStatus({ rollout, conditions, checksProgress, nowMs }: StatusInput): {
  readonly status: Fields;
  readonly wakeAtMs: number | undefined;
} {
  const { deployment } = rollout;
  const counts = countReplicas(rollout);
  const withAvailability = setDeploymentCondition(conditions, availability(rollout, counts.availableReplicas), nowMs);
  const progressed = checksProgress
    ? checkProgress({ rollout, counts, conditions: withAvailability, nowMs })
    : withAvailability;
  const { collisionCount } = (deployment["status"] ?? {}) as Fields; // a record, if it is there
  return {
    status: {
      ...(deployment.metadata.generation === undefined ? {} : { observedGeneration: deployment.metadata.generation }),
      ...withoutZeros(counts),
      conditions: progressed,
      ...(collisionCount === undefined ? {} : { collisionCount }),
    },
    wakeAtMs: checksProgress ? deadlineOf(rollout, counts, progressed) : undefined,
  };
}

type Counts = ReturnType<typeof countReplicas>;

function countReplicas(rollout: Rollout) {
  const sets = allSets(rollout);
  const count = (field: string) => (set: UnstructuredObject) => numberAt(set, "status", field) ?? 0;
  const availableReplicas = sum(sets, availableOf);
  return {
    replicas: sum(sets, count("replicas")),
    updatedReplicas: rollout.newSet === undefined ? 0 : count("replicas")(rollout.newSet),
    readyReplicas: sum(sets, count("readyReplicas")),
    availableReplicas,
    unavailableReplicas: Math.max(sum(sets, replicasOf) - availableReplicas, 0),
  };
}

function availability({ deployment }: Rollout, available: number): Condition {
  const isEnough = available >= replicasOf(deployment) - tolerances(deployment).unavailable;
  return isEnough
    ? {
        type: "Available",
        status: "True",
        reason: "MinimumReplicasAvailable",
        message: "Deployment has minimum availability.",
      }
    : {
        type: "Available",
        status: "False",
        reason: "MinimumReplicasUnavailable",
        message: "Deployment does not have minimum availability.",
      };
}

/** Whether all replicas are of the newest set and available. */
export function isComplete({ deployment }: Rollout, counts: Counts): boolean {
  const wanted = replicasOf(deployment);
  return [counts.updatedReplicas, counts.replicas, counts.availableReplicas].every((count) => count === wanted);
}

export function isRolloutComplete(rollout: Rollout): boolean {
  return isComplete(rollout, countReplicas(rollout));
}

interface ProgressInput {
  readonly rollout: Rollout;
  readonly counts: Counts;
  readonly conditions: readonly Fields[];
  readonly nowMs: number;
}

function checkProgress({ rollout, counts, conditions, nowMs }: ProgressInput): readonly Fields[] {
  const failure = setFailure(rollout);
  const base = failure === undefined ? withoutCondition(conditions, "ReplicaFailure") : conditions;
  const withFailure = failure === undefined ? base : setDeploymentCondition(base, failure, nowMs);
  if (progressDeadline(rollout.deployment) === undefined) return withoutCondition(withFailure, "Progressing");
  const condition = progressOf({ rollout, counts, conditions: withFailure, nowMs });
  if (condition === undefined) return withFailure;
  const old = findCondition(withFailure, "Progressing");
  const isSame = old?.["status"] === condition.status && old["reason"] === condition.reason;
  if (!isSame || condition.reason !== "ReplicaSetUpdated") return setDeploymentCondition(withFailure, condition, nowMs);
  // Further progress starts the deadline again.
  const updated = { ...old, ...condition, lastUpdateTime: formatTime(nowMs) };
  return [...withoutCondition(withFailure, "Progressing"), updated];
}

function progressOf({ rollout, counts, conditions, nowMs }: ProgressInput): Condition | undefined {
  const { deployment, newSet } = rollout;
  const old = findCondition(conditions, "Progressing");
  const settled = counts.replicas === counts.updatedReplicas && old?.["reason"] === "NewReplicaSetAvailable";
  if (settled) return undefined;
  const subject =
    newSet === undefined ? `Deployment "${deployment.metadata.name}"` : `ReplicaSet "${newSet.metadata.name}"`;
  if (isComplete(rollout, counts)) {
    return progressing("True", "NewReplicaSetAvailable", `${subject} has successfully progressed.`);
  }
  if (hasProgressed(deployment, counts)) {
    return progressing("True", "ReplicaSetUpdated", `${subject} is progressing.`);
  }
  if (isTimedOut(deployment, old, nowMs)) {
    return progressing("False", "ProgressDeadlineExceeded", `${subject} has timed out progressing.`);
  }
  return undefined;
}

function hasProgressed(deployment: UnstructuredObject, counts: Counts): boolean {
  const before = (field: string): number => numberAt(deployment, "status", field) ?? 0;
  return (
    counts.updatedReplicas > before("updatedReplicas") ||
    counts.replicas - counts.updatedReplicas < before("replicas") - before("updatedReplicas") ||
    counts.readyReplicas > before("readyReplicas") ||
    counts.availableReplicas > before("availableReplicas")
  );
}

function isTimedOut(deployment: UnstructuredObject, old: Fields | undefined, nowMs: number): boolean {
  if (old === undefined || old["reason"] === "NewReplicaSetAvailable") return false;
  if (old["reason"] === "ProgressDeadlineExceeded") return true;
  return deadlineAfter(deployment, old) < nowMs;
}

function deadlineAfter(deployment: UnstructuredObject, condition: Fields): number {
  const seconds = progressDeadline(deployment) ?? Infinity;
  return Date.parse(stringAt(condition, "lastUpdateTime")) + seconds * 1000;
}

function deadlineOf(rollout: Rollout, counts: Counts, conditions: readonly Fields[]): number | undefined {
  const condition = findCondition(conditions, "Progressing");
  if (condition === undefined || isComplete(rollout, counts)) return undefined;
  const isOver = ["ProgressDeadlineExceeded", "NewReplicaSetAvailable"].includes(stringAt(condition, "reason"));
  const atMs = deadlineAfter(rollout.deployment, condition) + 1;
  return isOver || atMs === Infinity ? undefined : atMs;
}

/** What the newest ReplicaSet, else any, says about pods that it cannot create. */
function setFailure({ newSet, oldSets }: Rollout): Condition | undefined {
  const sets = newSet === undefined ? oldSets : [newSet, ...oldSets];
  for (const set of sets) {
    const found = findCondition(conditionsOf(set), "ReplicaFailure");
    if (found === undefined) continue;
    const { reason, message } = found;
    return { type: "ReplicaFailure", status: "True", reason: String(reason), message: String(message) };
  }
  return undefined;
}
