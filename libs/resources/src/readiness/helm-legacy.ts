import type { UnstructuredObject } from "@landscaper/api";
import { groupOf } from "../cluster/resource-reference.ts";
import { fieldAt, numberAt } from "../json-value.ts";
import { findCondition, hasCondition, inBrackets, isObserved } from "./conditions.ts";
import { findHold } from "./held-rollout.ts";
import { current, inProgress, type KStatus } from "./kstatus-result.ts";

type Rule = (object: UnstructuredObject) => KStatus;

const rules: Readonly<Record<string, Rule>> = {
  "/PersistentVolumeClaim": checkClaim,
  "/Pod": checkPod,
  "/ReplicationController": checkReplicas,
  "/Service": checkService,
  "apiextensions.k8s.io/CustomResourceDefinition": checkCustomResourceDefinition,
  "apps/DaemonSet": checkDaemonSet,
  "apps/Deployment": checkDeployment,
  "apps/ReplicaSet": checkReplicas,
  "apps/StatefulSet": checkStatefulSet,
};

/**
 * Returns the status of an object as `helm --wait` of Helm 3 and `helm --wait=legacy` of Helm 4 see it (docs/guide/helm.md#waiting). Every other kind
 * is current. No status is a failure: Helm waits until its timeout. Pure.
 */
export function checkAsLegacy(object: UnstructuredObject, waitForJobs: boolean): KStatus {
  const kind = `${groupOf(object.apiVersion)}/${object.kind}`;
  if (kind === "batch/Job") return waitForJobs ? checkJob(object) : current;
  return rules[kind]?.(object) ?? current;
}

const unobserved = inProgress("its controller has not seen the last change yet");

function countsOf(object: UnstructuredObject): (field: string) => number {
  return (field) => numberAt(object, ["status", field], 0);
}

function checkJob(job: UnstructuredObject): KStatus {
  const wanted = numberAt(job, ["spec", "completions"], 1);
  const succeeded = countsOf(job)("succeeded");
  if (succeeded >= wanted) return current;
  const failure = findCondition(job, "Failed");
  if (failure?.status === "True") return inProgress(`has failed${inBrackets(failure.reason)}`);
  return inProgress(`${succeeded} of ${wanted} completions`);
}

function checkClaim(claim: UnstructuredObject): KStatus {
  return fieldAt(claim, "status", "phase") === "Bound" ? current : inProgress("is not bound");
}

/** A Pod that has completed is never ready. */
function checkPod(pod: UnstructuredObject): KStatus {
  const ready = findCondition(pod, "Ready");
  if (ready?.status === "True") return current;
  return inProgress(ready === undefined ? "has no Ready condition yet" : `Ready is False${inBrackets(ready.reason)}`);
}

/** Of ReplicaSets and ReplicationControllers. Helm looks at the pods that exist; all wanted ones must be ready here. */
function checkReplicas(set: UnstructuredObject): KStatus {
  if (!isObserved(set)) return unobserved;
  const wanted = numberAt(set, ["spec", "replicas"], 1);
  const ready = countsOf(set)("readyReplicas");
  return ready < wanted ? inProgress(`${ready} of ${wanted} replicas ready`) : current;
}

function checkService(service: UnstructuredObject): KStatus {
  const type = fieldAt(service, "spec", "type");
  if (type === "ExternalName") return current;
  if ((fieldAt(service, "spec", "clusterIP") ?? "") === "") return inProgress("has no address yet");
  const external = fieldAt(service, "spec", "externalIPs");
  if (type !== "LoadBalancer" || (Array.isArray(external) && external.length > 0)) return current;
  const ingress = fieldAt(service, "status", "loadBalancer", "ingress");
  return Array.isArray(ingress) && ingress.length > 0 ? current : inProgress("its load balancer has no address");
}

/** A definition whose names are taken has come to an end as well. */
function checkCustomResourceDefinition(definition: UnstructuredObject): KStatus {
  const hasEnded = hasCondition(definition, "Established") || hasCondition(definition, "NamesAccepted", "False");
  return hasEnded ? current : inProgress("is not established");
}

/** Some pods may be unavailable, even all of a DaemonSet on one node. */
function checkDaemonSet(set: UnstructuredObject): KStatus {
  if (!isObserved(set)) return unobserved;
  if (fieldAt(set, "spec", "updateStrategy", "type") === "OnDelete") return current;
  const counts = countsOf(set);
  const wanted = counts("desiredNumberScheduled");
  const updated = counts("updatedNumberScheduled");
  if (updated < wanted) return inProgress(`${updated} of ${wanted} pods updated`);
  const unavailable = fieldAt(set, "spec", "updateStrategy", "rollingUpdate", "maxUnavailable") ?? 1;
  const needed = wanted - share(unavailable, wanted, Math.ceil);
  const ready = counts("numberReady");
  return ready < needed ? inProgress(`${ready} of ${needed} pods ready`) : current;
}

/** Counts ready pods of the new revision, at least: pods of former revisions count as ready ones first. */
function checkDeployment(deployment: UnstructuredObject): KStatus {
  if (findHold(deployment) !== undefined) return current;
  if (!isObserved(deployment)) return unobserved;
  const wanted = numberAt(deployment, ["spec", "replicas"], 1);
  const counts = countsOf(deployment);
  const former = Math.max(0, counts("replicas") - counts("updatedReplicas"));
  const ready = Math.max(0, counts("readyReplicas") - former);
  const needed = wanted - mostUnavailable(deployment, wanted);
  return ready < needed ? inProgress(`${ready} of ${needed} new replicas ready`) : current;
}

function mostUnavailable(deployment: UnstructuredObject, wanted: number): number {
  if (wanted === 0 || fieldAt(deployment, "spec", "strategy", "type") === "Recreate") return 0;
  const bound = (field: string, round: (value: number) => number): number =>
    share(fieldAt(deployment, "spec", "strategy", "rollingUpdate", field) ?? "25%", wanted, round);
  const unavailable = Math.min(bound("maxUnavailable", Math.floor), wanted);
  // A rollout without surge needs room.
  return unavailable === 0 && bound("maxSurge", Math.ceil) === 0 ? 1 : unavailable;
}

function checkStatefulSet(set: UnstructuredObject): KStatus {
  if (!isObserved(set)) return unobserved;
  if (findHold(set) !== undefined) return current;
  const wanted = numberAt(set, ["spec", "replicas"], 1);
  const partition = numberAt(set, ["spec", "updateStrategy", "rollingUpdate", "partition"], 0);
  const counts = countsOf(set);
  const toUpdate = wanted - partition;
  if (counts("updatedReplicas") < toUpdate) {
    return inProgress(`${counts("updatedReplicas")} of ${toUpdate} replicas updated`);
  }
  if (counts("readyReplicas") !== wanted) return inProgress(`${counts("readyReplicas")} of ${wanted} replicas ready`);
  const revision = (field: string): unknown => fieldAt(set, "status", field);
  const isOld = partition === 0 && revision("currentRevision") !== revision("updateRevision");
  return isOld ? inProgress("its revision is not current yet") : current;
}

/** A number, or a percentage of `whole`. The API server accepts nothing else. */
function share(value: unknown, whole: number, round: (value: number) => number): number {
  if (typeof value === "number") return value;
  const percent = typeof value === "string" ? /^(\d+)%$/.exec(value)?.[1] : undefined;
  return percent === undefined ? 0 : round((whole * Number(percent)) / 100);
}
