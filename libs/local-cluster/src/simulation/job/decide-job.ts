import type { UnstructuredObject } from "@landscaper/api";
import { fieldAt, numberAt, stringAt } from "../../objects/json.ts";
import { formatTime } from "../../rest/rest-context.ts";
import type { Action, Decision } from "../actions.ts";
import { earliest } from "../actions.ts";
import type { Condition, Fields } from "../conditions.ts";
import { conditionsOf, findCondition, isTrue, withCondition } from "../conditions.ts";
import { isActive, isFinished, isReady, isTerminating, phaseIn } from "../pod/pod-state.ts";
import { withoutZeros } from "../replica-set/decide-replica-set.ts";
import {
  completionIndex,
  countRestarts,
  deletePod,
  formatIndexes,
  isIndexed,
  isTracked,
  makeJobPod,
  parseIndexes,
  releasePod,
} from "./job-pods.ts";

export interface ObservedJob {
  readonly job: UnstructuredObject;
  readonly pods: readonly UnstructuredObject[];
  readonly nowMs: number;
}

/** What a pass knows of a Job after it has counted the pods that have ended. */
interface Tally {
  readonly succeeded: number;
  readonly failed: number;
  readonly completedIndexes: readonly number[];
  readonly active: readonly UnstructuredObject[];
  readonly startTime: string | undefined;
  readonly conditions: readonly Fields[];
}

/** One pass over a Job: counts pods that have ended, ends the Job or makes the pods that are missing. */
export function decideJob(observed: ObservedJob): Decision {
  const { job, pods, nowMs } = observed;
  const conditions = conditionsOf(job);
  if (isTrue(conditions, "Complete") || isTrue(conditions, "Failed")) return endJob(observed, conditions);
  const tally = countPods(observed, conditions);
  const released = pods.filter((pod) => isFinished(pod) || isLost(job, pod)).flatMap(releasePod);
  const why = failureOf(job, tally, nowMs);
  if (why !== undefined) return failJob(observed, { tally, why, released });
  if (isReached(job, tally)) return completeJob(observed, tally, released);
  if (isSuspended(job)) return suspendJob(observed, tally, released);
  return runJob(observed, tally, released);
}

function isSuspended(job: UnstructuredObject): boolean {
  return fieldAt(job, "spec", "suspend") === true;
}

function countPods({ job, pods, nowMs }: ObservedJob, conditions: readonly Fields[]): Tally {
  const ended = pods.filter(isTracked);
  const succeeded = ended.filter((pod) => phaseIn(pod) === "Succeeded");
  const failed = ended.filter((pod) => phaseIn(pod) === "Failed" || (isLost(job, pod) && !isFinished(pod)));
  const wasSuspended = isTrue(conditions, "Suspended");
  const stored = stringAt(job, "status", "startTime") || undefined;
  const starts = !isSuspended(job) && (stored === undefined || wasSuspended);
  const indexes = parseIndexes(stringAt(job, "status", "completedIndexes"));
  return {
    succeeded: (numberAt(job, "status", "succeeded") ?? 0) + succeeded.length,
    failed: (numberAt(job, "status", "failed") ?? 0) + failed.length,
    completedIndexes: [...indexes, ...succeeded.flatMap((pod) => completionIndex(pod) ?? [])],
    active: pods.filter(isActive),
    startTime: starts ? formatTime(nowMs) : stored,
    conditions,
  };
}

/** Whether a pod counts as failed from its deletion on, and not only when its containers have stopped. */
function isLost(job: UnstructuredObject, pod: UnstructuredObject): boolean {
  return isTerminating(pod) && !replacesFailedOnly(job);
}

function replacesFailedOnly(job: UnstructuredObject): boolean {
  return stringAt(job, "spec", "podReplacementPolicy") === "Failed";
}

type Why = Pick<Condition, "reason" | "message">;

const backoffExceeded: Why = {
  reason: "BackoffLimitExceeded",
  message: "Job has reached the specified backoff limit",
};
const deadlineExceeded: Why = {
  reason: "DeadlineExceeded",
  message: "Job was active longer than specified deadline",
};

/** Why the Job has failed, now or in an earlier pass. */
function failureOf(job: UnstructuredObject, tally: Tally, nowMs: number): Why | undefined {
  const target = findCondition(tally.conditions, "FailureTarget");
  if (target !== undefined) return { reason: String(target["reason"]), message: String(target["message"]) };
  const limit = numberAt(job, "spec", "backoffLimit") ?? 6;
  if (tally.failed > limit) return backoffExceeded;
  if (stringAt(job, "spec", "template", "spec", "restartPolicy") === "OnFailure") {
    const restarts = countRestarts(tally.active);
    if (limit === 0 ? restarts > 0 : restarts >= limit) return backoffExceeded;
  }
  const deadlineMs = isSuspended(job) ? undefined : deadlineOf(job, tally);
  return deadlineMs !== undefined && deadlineMs <= nowMs ? deadlineExceeded : undefined;
}

function deadlineOf(job: UnstructuredObject, { startTime }: Tally): number | undefined {
  const seconds = numberAt(job, "spec", "activeDeadlineSeconds");
  return seconds === undefined || startTime === undefined ? undefined : Date.parse(startTime) + seconds * 1000;
}

/** Without a number of completions, one success and no pod left is enough. */
function isReached(job: UnstructuredObject, { succeeded, active }: Tally): boolean {
  const completions = numberAt(job, "spec", "completions");
  return completions === undefined ? succeeded > 0 && active.length === 0 : succeeded >= completions;
}

interface Failing {
  readonly tally: Tally;
  readonly why: Why;
  readonly released: readonly Action[];
}

/** First the target, and the pods go; the Job has failed when they are gone. */
function failJob(observed: ObservedJob, { tally, why, released }: Failing): Decision {
  const { job, pods } = observed;
  const failed = tally.failed + tally.active.length;
  const isOver = tally.active.length === 0 && !pods.some(isGoing);
  const conditions = [
    { type: "FailureTarget", status: "True", ...why } as const,
    ...(isOver ? [{ type: "Failed", status: "True", ...why } as const] : []),
  ].reduce((all, condition) => setJobCondition(all, condition, observed), tally.conditions);
  const status = jobStatus(observed, { ...tally, failed, active: [], conditions });
  const deletions = tally.active.flatMap(deletePod);
  return { actions: [...released, ...deletions, { do: "status", object: job, status }] };
}

/** On its way out, but its containers still run. */
function isGoing(pod: UnstructuredObject): boolean {
  return isTerminating(pod) && !isFinished(pod);
}

function completeJob(observed: ObservedJob, tally: Tally, released: readonly Action[]): Decision {
  const { job, pods, nowMs } = observed;
  const why = { reason: "CompletionsReached", message: "Reached expected number of succeeded pods" };
  const isOver = tally.active.length === 0 && !pods.some(isGoing);
  const conditions = [
    { type: "SuccessCriteriaMet", status: "True", ...why } as const,
    ...(isOver ? [{ type: "Complete", status: "True", ...why } as const] : []),
  ].reduce((all, condition) => setJobCondition(all, condition, observed), tally.conditions);
  const status = {
    ...jobStatus(observed, { ...tally, active: [], conditions }),
    ...(isOver ? { completionTime: formatTime(nowMs) } : {}),
  };
  const deletions = tally.active.flatMap(deletePod);
  return { actions: [...released, ...deletions, { do: "status", object: job, status }] };
}

function suspendJob(observed: ObservedJob, tally: Tally, released: readonly Action[]): Decision {
  const condition = { type: "Suspended", status: "True", reason: "JobSuspended", message: "Job suspended" } as const;
  const conditions = setJobCondition(tally.conditions, condition, observed);
  const status = jobStatus(observed, { ...tally, active: [], conditions });
  const deletions = tally.active.flatMap(deletePod);
  return { actions: [...released, ...deletions, { do: "status", object: observed.job, status }] };
}

function runJob(observed: ObservedJob, tally: Tally, released: readonly Action[]): Decision {
  const { job, pods } = observed;
  const resumed = { type: "Suspended", status: "False", reason: "JobResumed", message: "Job resumed" } as const;
  const conditions = isTrue(tally.conditions, "Suspended")
    ? setJobCondition(tally.conditions, resumed, observed)
    : tally.conditions;
  const changes = isTerminating(job) ? [] : adjustPods(job, tally, pods);
  const status = jobStatus(observed, { ...tally, conditions });
  return {
    actions: [...released, ...changes, { do: "status", object: job, status }],
    wakeAtMs: deadlineOf(job, tally),
  };
}

/** Creates or deletes pods until as many run as may. */
function adjustPods(job: UnstructuredObject, tally: Tally, pods: readonly UnstructuredObject[]): Action[] {
  const { active, succeeded } = tally;
  const completions = numberAt(job, "spec", "completions");
  const parallelism = numberAt(job, "spec", "parallelism") ?? 1;
  const open = completions === undefined ? (succeeded > 0 ? active.length : Infinity) : completions - succeeded;
  const wanted = Math.min(parallelism, open);
  if (active.length > wanted) {
    const byReadiness = active.toSorted((a, b) => Number(isReady(a)) - Number(isReady(b)));
    return byReadiness.slice(0, active.length - wanted).flatMap(deletePod);
  }
  const going = replacesFailedOnly(job) ? pods.filter(isGoing).length : 0;
  const missing = Math.max(wanted - active.length - going, 0);
  const indexes = isIndexed(job) ? freeIndexes(completions ?? 0, tally, missing) : undefined;
  return Array.from({ length: indexes?.length ?? missing }, (_value, i) => ({
    do: "create",
    object: makeJobPod(job, indexes?.[i]),
  }));
}

function freeIndexes(completions: number, { active, completedIndexes }: Tally, count: number): number[] {
  const taken = new Set([...completedIndexes, ...active.flatMap((pod) => completionIndex(pod) ?? [])]);
  const all = Array.from({ length: completions }, (_value, i) => i);
  return all.filter((index) => !taken.has(index)).slice(0, count);
}

/** A Job that has ended lets go of its pods, and goes itself when its time is up. */
function endJob({ job, pods, nowMs }: ObservedJob, conditions: readonly Fields[]): Decision {
  const released = pods.flatMap(releasePod);
  const seconds = numberAt(job, "spec", "ttlSecondsAfterFinished");
  const end = findCondition(conditions, "Complete") ?? findCondition(conditions, "Failed");
  if (seconds === undefined || isTerminating(job)) return { actions: released };
  const goneMs = Date.parse(stringAt(end, "lastTransitionTime")) + seconds * 1000;
  if (goneMs > nowMs) return { actions: released, wakeAtMs: earliest(goneMs) };
  return { actions: [...released, { do: "delete", object: job, propagationPolicy: "Foreground" }] };
}

function setJobCondition(
  conditions: readonly Fields[],
  condition: Condition,
  { nowMs }: ObservedJob,
): readonly Fields[] {
  return withCondition(conditions, condition, { now: formatTime(nowMs), timeFields: ["lastProbeTime"] });
}

function jobStatus({ job, pods }: ObservedJob, tally: Tally): Fields {
  const { succeeded, failed, active, startTime, conditions, completedIndexes } = tally;
  const indexes = formatIndexes(completedIndexes);
  return {
    ...(conditions.length === 0 ? {} : { conditions }),
    ...(startTime === undefined ? {} : { startTime }),
    ...withoutZeros({ active: active.length, succeeded, failed }),
    ...(isIndexed(job) && indexes !== "" ? { completedIndexes: indexes } : {}),
    ready: active.filter(isReady).length,
    terminating: pods.filter(isGoing).length,
    uncountedTerminatedPods: {},
  };
}
