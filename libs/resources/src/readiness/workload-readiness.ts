import type { UnstructuredObject } from "@landscaper/api";
import { findCondition, inBrackets, isObserved } from "./conditions.ts";
import { fieldAt, numberAt } from "../json-value.ts";
import { groupOf } from "../cluster/resource-reference.ts";

/** Whether an object is ready, and if not, what is missing. */
export type Readiness = { readonly ready: true } | { readonly ready: false; readonly message: string };

const ready: Readiness = { ready: true };

/** The default readiness rules (deployers.md §3.6); kinds without a rule are ready when they exist. */
export function checkWorkload(object: UnstructuredObject): Readiness {
  const check = checks[`${groupOf(object.apiVersion)}/${object.kind}`];
  return check === undefined ? ready : check(object);
}

/** Whether `object` has a default rule beyond its existence. */
export function isWorkload(object: Pick<UnstructuredObject, "apiVersion" | "kind">): boolean {
  return checks[`${groupOf(object.apiVersion)}/${object.kind}`] !== undefined;
}

const checks: Readonly<Record<string, (object: UnstructuredObject) => Readiness>> = {
  "/Pod": checkPod,
  "/ReplicationController": checkReplicaSet,
  "apps/Deployment": checkDeployment,
  "apps/StatefulSet": checkStatefulSet,
  "apps/DaemonSet": checkDaemonSet,
  "apps/ReplicaSet": checkReplicaSet,
};

function notReady(message: string): Readiness {
  return { ready: false, message };
}

function checkPod(pod: UnstructuredObject): Readiness {
  const condition = findCondition(pod, "Ready");
  if (condition === undefined) return notReady("has no Ready condition yet");
  const { status, reason } = condition;
  if (status === "True" || reason === "PodCompleted") return ready;
  return notReady(`Ready is ${status === "" ? "unknown" : status}${inBrackets(reason)}`);
}

function checkDeployment(deployment: UnstructuredObject): Readiness {
  const unobserved = checkObserved(deployment);
  if (unobserved !== undefined) return unobserved;
  const wanted = numberAt(deployment, ["spec", "replicas"], 0);
  const status = (field: string): number => numberAt(deployment, ["status", field], 0);
  if (status("updatedReplicas") !== wanted)
    return notReady(`${status("updatedReplicas")} of ${wanted} replicas updated`);
  if (status("replicas") !== wanted) return notReady(`${status("replicas") - wanted} old replicas still there`);
  if (status("availableReplicas") === wanted) return ready;
  return notReady(`${status("availableReplicas")} of ${wanted} replicas available`);
}

function checkStatefulSet(set: UnstructuredObject): Readiness {
  const unobserved = checkObserved(set);
  if (unobserved !== undefined) return unobserved;
  const wanted = numberAt(set, ["spec", "replicas"], 1);
  const updated = numberAt(set, ["status", "updatedReplicas"], 0);
  const available = numberAt(set, ["status", "availableReplicas"], 0);
  if (updated < wanted) return notReady(`${updated} of ${wanted} replicas updated`);
  return available < wanted ? notReady(`${available} of ${wanted} replicas available`) : ready;
}

/** Unlike the original, which took scheduled pods for ready ones: updated pods everywhere, and enough of them available. */
function checkDaemonSet(set: UnstructuredObject): Readiness {
  const unobserved = checkObserved(set);
  if (unobserved !== undefined) return unobserved;
  const wanted = numberAt(set, ["status", "desiredNumberScheduled"], 0);
  const updated = numberAt(set, ["status", "updatedNumberScheduled"], 0);
  const available = numberAt(set, ["status", "numberAvailable"], 0);
  const isRolling = fieldAt(set, "spec", "updateStrategy", "type") !== "OnDelete";
  if (isRolling && updated < wanted) return notReady(`${updated} of ${wanted} pods updated`);
  // The tolerance of the update strategy, but never so large that no pod at all is needed.
  const needed = Math.max(wanted - maxUnavailable(set, wanted), Math.min(wanted, 1));
  return available < needed ? notReady(`${available} of ${needed} pods available`) : ready;
}

function maxUnavailable(set: UnstructuredObject, wanted: number): number {
  const value = fieldAt(set, "spec", "updateStrategy", "rollingUpdate", "maxUnavailable");
  if (typeof value === "number") return value;
  const percent = typeof value === "string" ? /^(\d+)%$/.exec(value)?.[1] : undefined;
  return percent === undefined ? 0 : Math.floor((wanted * Number(percent)) / 100);
}

function checkReplicaSet(set: UnstructuredObject): Readiness {
  const unobserved = checkObserved(set);
  if (unobserved !== undefined) return unobserved;
  const failure = findCondition(set, "ReplicaFailure");
  if (failure !== undefined && failure.status !== "False")
    return notReady(`replicas fail${inBrackets(failure.reason)}`);
  const wanted = numberAt(set, ["spec", "replicas"], 1);
  const available = numberAt(set, ["status", "readyReplicas"], 0);
  return available < wanted ? notReady(`${available} of ${wanted} replicas ready`) : ready;
}

function checkObserved(object: UnstructuredObject): Readiness | undefined {
  return isObserved(object) ? undefined : notReady("its controller has not seen the last change yet");
}
