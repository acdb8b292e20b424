import type { UnstructuredObject } from "@landscaper/api";
import { fieldAt, numberAt } from "../../objects/json.ts";
import { formatTime } from "../../rest/rest-context.ts";
import { matchesLabelSelector } from "../../selectors/match-label-selector.ts";
import type { Decision } from "../actions.ts";
import type { Condition, Fields } from "../conditions.ts";
import { conditionsOf, withCondition } from "../conditions.ts";
import { resolve } from "../deployment/rollout.ts";
import { isReady, isTerminating } from "../pod/pod-state.ts";

export interface ObservedDisruptionBudget {
  readonly budget: UnstructuredObject;
  /** Those of its namespace. */
  readonly pods: readonly UnstructuredObject[];
  /** The workload that a pod belongs to, with its number of replicas; undefined when there is none. */
  readonly workloadOf: (pod: UnstructuredObject) => UnstructuredObject | undefined;
  readonly nowMs: number;
}

/** Counts the healthy pods of a budget and how many of them may go. */
export function decideDisruptionBudget(observed: ObservedDisruptionBudget): Decision {
  const { budget, pods, nowMs } = observed;
  const selector = fieldAt(budget, "spec", "selector");
  const own = pods.filter(({ metadata }) => selector !== undefined && matchesLabelSelector(selector, metadata.labels));
  const { expected, desired } = expectations(observed, own);
  const healthy = own.filter((pod) => isReady(pod) && !isTerminating(pod)).length;
  const allowed = expected === 0 ? 0 : Math.max(healthy - desired, 0);
  const status = {
    observedGeneration: budget.metadata.generation,
    disruptionsAllowed: allowed,
    currentHealthy: healthy,
    desiredHealthy: desired,
    expectedPods: expected,
    conditions: allowedCondition(budget, allowed > 0, formatTime(nowMs)),
  };
  return { actions: [{ do: "status", object: budget, status }] };
}

/** A number of pods that must be available counts the pods that are there; all other limits the replicas of their workloads. */
function expectations(
  { budget, workloadOf }: ObservedDisruptionBudget,
  pods: readonly UnstructuredObject[],
): { readonly expected: number; readonly desired: number } {
  const { minAvailable, maxUnavailable } = (budget["spec"] ?? {}) as Fields; // a record, the API has seen to it
  if (typeof minAvailable === "number") return { expected: pods.length, desired: minAvailable };
  const workloads = new Map(pods.map((pod) => workloadOf(pod)).map((workload) => [workload?.metadata.uid, workload]));
  const expected = [...workloads.values()].reduce(
    (sum, workload) => sum + (numberAt(workload, "spec", "replicas") ?? 0),
    0,
  );
  if (maxUnavailable === undefined) return { expected, desired: resolve(minAvailable ?? 1, expected, Math.ceil) };
  return { expected, desired: Math.max(expected - resolve(maxUnavailable, expected, Math.ceil), 0) };
}

function allowedCondition(budget: UnstructuredObject, isAllowed: boolean, now: string): readonly unknown[] {
  const condition: Condition = {
    type: "DisruptionAllowed",
    status: isAllowed ? "True" : "False",
    reason: isAllowed ? "SufficientPods" : "InsufficientPods",
    message: "",
  };
  const observedGeneration = budget.metadata.generation;
  return withCondition(conditionsOf(budget), condition, { now }).map((one) => ({ ...one, observedGeneration }));
}
