import type { UnstructuredObject } from "@landscaper/api";
import { findCondition, hasCondition, inBrackets } from "./conditions.ts";
import { fieldAt, isJsonObject, numberAt } from "../json-value.ts";
import { current, failed, inProgress, type KStatus } from "./kstatus-result.ts";
import {
  checkDaemonSetStatus,
  checkDeploymentStatus,
  checkReplicaSetStatus,
  checkStatefulSetStatus,
} from "./kstatus-workloads.ts";
import { findPodTrouble } from "./pod-trouble.ts";

type Rule = (object: UnstructuredObject) => KStatus;

/** Rules of built-in kinds by "group/Kind"; every other kind follows the conventions alone. */
export const kstatusRules: Readonly<Record<string, Rule>> = {
  "/Namespace": checkNamespace,
  "/PersistentVolume": checkVolume,
  "/PersistentVolumeClaim": checkClaim,
  "/Pod": checkPod,
  "/ReplicationController": checkReplicaSetStatus,
  "/Service": checkService,
  "apiextensions.k8s.io/CustomResourceDefinition": checkCustomResourceDefinition,
  "apiregistration.k8s.io/APIService": checkApiService,
  "apps/DaemonSet": checkDaemonSetStatus,
  "apps/Deployment": checkDeploymentStatus,
  "apps/ReplicaSet": checkReplicaSetStatus,
  "apps/StatefulSet": checkStatefulSetStatus,
  "batch/Job": checkJob,
  "policy/PodDisruptionBudget": checkDisruptionBudget,
};

function checkPod(pod: UnstructuredObject): KStatus {
  const phase = fieldAt(pod, "status", "phase");
  if (phase === "Succeeded") return current;
  const trouble = findPodTrouble(pod);
  if (trouble !== undefined) return failed(trouble.text);
  const ready = findCondition(pod, "Ready");
  if (phase === "Running" && ready?.status === "True") return current;
  const scheduled = findCondition(pod, "PodScheduled");
  if (scheduled?.status === "False") return inProgress(`is not scheduled${inBrackets(scheduled.reason)}`);
  return inProgress(typeof phase === "string" ? `is ${phase}${inBrackets(ready?.reason ?? "")}` : "has no phase yet");
}

/** A suspended Job has nothing to complete. */
function checkJob(job: UnstructuredObject): KStatus {
  const failure = findCondition(job, "Failed");
  if (failure?.status === "True") return failed(`has failed${inBrackets(failure.reason)}`);
  if (hasCondition(job, "Complete") || fieldAt(job, "spec", "suspend") === true) return current;
  const wanted = numberAt(job, ["spec", "completions"], 1);
  return inProgress(`${numberAt(job, ["status", "succeeded"], 0)} of ${wanted} completions`);
}

function checkClaim(claim: UnstructuredObject): KStatus {
  const phase = fieldAt(claim, "status", "phase");
  if (phase === "Bound") return current;
  return phase === "Lost" ? failed("has lost its volume") : inProgress("is not bound");
}

function checkVolume(volume: UnstructuredObject): KStatus {
  const phase = fieldAt(volume, "status", "phase");
  if (phase === "Failed") return failed("could not be reclaimed");
  return phase === "Pending" || phase === undefined ? inProgress("is not available") : current;
}

function checkService(service: UnstructuredObject): KStatus {
  if (fieldAt(service, "spec", "type") !== "LoadBalancer") return current;
  const ingress = fieldAt(service, "status", "loadBalancer", "ingress");
  return Array.isArray(ingress) && ingress.length > 0 ? current : inProgress("its load balancer has no address");
}

function checkNamespace(namespace: UnstructuredObject): KStatus {
  return fieldAt(namespace, "status", "phase") === "Active" ? current : inProgress("is not active");
}

function checkDisruptionBudget(budget: UnstructuredObject): KStatus {
  if (fieldAt(budget, "status", "observedGeneration") === undefined) {
    return inProgress("its controller has not seen it yet");
  }
  const healthy = numberAt(budget, ["status", "currentHealthy"], 0);
  const desired = numberAt(budget, ["status", "desiredHealthy"], 0);
  return healthy < desired ? inProgress(`${healthy} of ${desired} pods healthy`) : current;
}

function checkCustomResourceDefinition(crd: UnstructuredObject): KStatus {
  const names = findCondition(crd, "NamesAccepted");
  if (names?.status === "False") return failed(`its names are not accepted${inBrackets(names.reason)}`);
  return hasCondition(crd, "Established") ? current : inProgress("is not established");
}

function checkApiService(service: UnstructuredObject): KStatus {
  if (!isJsonObject(fieldAt(service, "spec", "service"))) return current;
  const available = findCondition(service, "Available");
  if (available?.status === "True") return current;
  return inProgress(`is not available${inBrackets(available?.reason ?? "")}`);
}
