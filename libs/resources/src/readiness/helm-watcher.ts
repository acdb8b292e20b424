import type { UnstructuredObject } from "@landscaper/api";
import { fieldAt, numberAt } from "../json-value.ts";
import { groupOf } from "../cluster/resource-reference.ts";
import { isBuiltInGroup } from "./built-in-groups.ts";
import { findCondition, hasCondition, inBrackets } from "./conditions.ts";
import { findHold } from "./held-rollout.ts";
import { checkKstatus } from "./kstatus.ts";
import { kstatusRules } from "./kstatus-kinds.ts";
import { current, failed, inProgress, type KStatus } from "./kstatus-result.ts";
import { checkStatefulSetCounts } from "./kstatus-workloads.ts";
import { describeFailure, isInCrashLoop } from "./pod-trouble.ts";

type Rule = (object: UnstructuredObject) => KStatus;

/** Where Helm 4 differs from level kstatus, by "group/Kind". `true`: the conventions of kstatus are enough. */
const differences: Readonly<Record<string, Rule | true>> = {
  "/PersistentVolume": true,
  "/PersistentVolumeClaim": checkClaim,
  "/Pod": checkPod,
  "/ReplicationController": true,
  "/Service": true,
  "apiregistration.k8s.io/APIService": true,
  "apps/Deployment": unlessHeld(kstatusRules["apps/Deployment"]),
  // Without an observed generation, the counts of a StatefulSet are enough.
  "apps/StatefulSet": unlessHeld(checkStatefulSetCounts),
  "batch/Job": checkStart,
  "policy/PodDisruptionBudget": true,
};

const rules = rulesWith(differences);
const rulesWithJobs = rulesWith({ ...differences, "batch/Job": checkCompletion });

/**
 * Returns the status of an object as `helm --wait=watcher` of Helm 4.3 sees it (docs/guide/helm.md#waiting). Pure. Two differences are intended: a
 * Pod that has failed is a failure, and a Pod that no node takes is awaited.
 */
export function checkAsWatcher(object: UnstructuredObject, waitForJobs: boolean): KStatus {
  // Helm reads this condition before Stalled.
  if (hasCondition(object, "Reconciling")) {
    return inProgress(`is reconciling${inBrackets(findCondition(object, "Reconciling")?.reason ?? "")}`);
  }
  return checkKstatus(object, waitForJobs ? rulesWithJobs : rules);
}

/** Whether an object that is current may still fail: one that works on, and custom resources, whose controller may only begin. */
export function mayStillFail(object: UnstructuredObject): boolean {
  const group = groupOf(object.apiVersion);
  if (group === "batch" && object.kind === "Job") return !hasCondition(object, "Complete");
  return !isBuiltInGroup(group);
}

function rulesWith(changes: Readonly<Record<string, Rule | true>>): Readonly<Record<string, Rule>> {
  const all = Object.entries({ ...kstatusRules, ...changes });
  return Object.fromEntries(all.filter((entry): entry is [string, Rule] => entry[1] !== true));
}

function unlessHeld(rule: Rule | undefined): Rule {
  return (object) => (findHold(object) === undefined ? (rule?.(object) ?? current) : current);
}

/** A lost claim may be bound again, says Helm. */
function checkClaim(claim: UnstructuredObject): KStatus {
  return fieldAt(claim, "status", "phase") === "Bound" ? current : inProgress("is not bound");
}

/** An image that cannot be pulled is no failure for Helm. */
function checkPod(pod: UnstructuredObject): KStatus {
  const phase = fieldAt(pod, "status", "phase");
  if (phase === "Succeeded") return current;
  if (phase === "Failed") return failed(describeFailure(pod).text);
  if (phase === "Running" && isInCrashLoop(pod))
    return failed("a container crashes again and again (CrashLoopBackOff)");
  const ready = findCondition(pod, "Ready");
  if (phase === "Running" && ready?.status === "True") return current;
  return inProgress(typeof phase === "string" ? `is ${phase}${inBrackets(ready?.reason ?? "")}` : "has no phase yet");
}

function checkCompletion(job: UnstructuredObject): KStatus {
  const failure = findCondition(job, "Failed");
  if (failure?.status === "True") return failed(`has failed${inBrackets(failure.reason)}`);
  if (hasCondition(job, "Complete")) return current;
  const wanted = numberAt(job, ["spec", "completions"], 1);
  return inProgress(`${numberAt(job, ["status", "succeeded"], 0)} of ${wanted} completions`);
}

/** A Job only has to be started. A suspended one is not. */
function checkStart(job: UnstructuredObject): KStatus {
  const completion = checkCompletion(job);
  if (completion.status !== "inProgress" || fieldAt(job, "status", "startTime") !== undefined) {
    return completion.status === "failed" ? completion : current;
  }
  return inProgress("has not started");
}
