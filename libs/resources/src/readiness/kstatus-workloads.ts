import type { UnstructuredObject } from "@landscaper/api";
import { findCondition, inBrackets, isObserved } from "./conditions.ts";
import { fieldAt, numberAt } from "../json-value.ts";
import { current, failed, inProgress, type KStatus } from "./kstatus-result.ts";

const unobserved = inProgress("its controller has not seen the last change yet");

type Counts = (field: string) => number;

function statusCounts(object: UnstructuredObject): Counts {
  return (field) => numberAt(object, ["status", field], 0);
}

export function checkDeploymentStatus(deployment: UnstructuredObject): KStatus {
  if (!isObserved(deployment)) return unobserved;
  const progressing = findCondition(deployment, "Progressing");
  if (progressing?.status === "False" && progressing.reason === "ProgressDeadlineExceeded") {
    return failed("has made no progress for too long (ProgressDeadlineExceeded)");
  }
  const wanted = numberAt(deployment, ["spec", "replicas"], 1);
  const counts = statusCounts(deployment);
  const updated = counts("updatedReplicas");
  if (updated < wanted) return inProgress(`${updated} of ${wanted} replicas updated`);
  if (counts("replicas") > updated) return inProgress(`${counts("replicas") - updated} old replicas still there`);
  const available = counts("availableReplicas");
  if (available < wanted) return inProgress(`${available} of ${wanted} replicas available`);
  const availability = findCondition(deployment, "Available");
  return availability !== undefined && availability.status !== "True"
    ? inProgress(`is not available${inBrackets(availability.reason)}`)
    : current;
}

export function checkStatefulSetStatus(set: UnstructuredObject): KStatus {
  return isObserved(set) ? checkStatefulSetCounts(set) : unobserved;
}

/** Pods that a partition holds back, or that are updated by hand (`OnDelete`), count as they are. */
export function checkStatefulSetCounts(set: UnstructuredObject): KStatus {
  const wanted = numberAt(set, ["spec", "replicas"], 1);
  const counts = statusCounts(set);
  const ready = counts("readyReplicas");
  if (ready < wanted) return inProgress(`${ready} of ${wanted} replicas ready`);
  if (counts("replicas") > wanted) return inProgress(`${counts("replicas") - wanted} surplus replicas still there`);
  if (fieldAt(set, "spec", "updateStrategy", "type") === "OnDelete") return current;
  const partition = numberAt(set, ["spec", "updateStrategy", "rollingUpdate", "partition"], 0);
  const toUpdate = Math.max(wanted - partition, 0);
  const updated = counts("updatedReplicas");
  return updated < toUpdate ? inProgress(`${updated} of ${toUpdate} replicas updated`) : current;
}

export function checkDaemonSetStatus(set: UnstructuredObject): KStatus {
  if (!isObserved(set)) return unobserved;
  if (fieldAt(set, "status", "observedGeneration") === undefined) {
    return inProgress("its controller has not seen it yet");
  }
  const counts = statusCounts(set);
  const wanted = counts("desiredNumberScheduled");
  const isRolling = fieldAt(set, "spec", "updateStrategy", "type") !== "OnDelete";
  const updated = counts("updatedNumberScheduled");
  if (isRolling && updated < wanted) return inProgress(`${updated} of ${wanted} pods updated`);
  const available = counts("numberAvailable");
  return available < wanted ? inProgress(`${available} of ${wanted} pods available`) : current;
}

/** Also for ReplicationControllers. */
export function checkReplicaSetStatus(set: UnstructuredObject): KStatus {
  if (!isObserved(set)) return unobserved;
  const failure = findCondition(set, "ReplicaFailure");
  if (failure?.status === "True") return inProgress(`replicas fail${inBrackets(failure.reason)}`);
  const wanted = numberAt(set, ["spec", "replicas"], 1);
  const counts = statusCounts(set);
  const available = counts("availableReplicas");
  if (available < wanted) return inProgress(`${available} of ${wanted} replicas available`);
  return counts("replicas") > wanted
    ? inProgress(`${counts("replicas") - wanted} surplus replicas still there`)
    : current;
}
