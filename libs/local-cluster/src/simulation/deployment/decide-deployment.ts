import type { UnstructuredObject } from "@landscaper/api";
import { equalJson, numberAt } from "../../objects/json.ts";
import type { Action, Decision } from "../actions.ts";
import type { Fields } from "../conditions.ts";
import { conditionsOf, findCondition } from "../conditions.ts";
import { isFinished, isTerminating } from "../pod/pod-state.ts";
import { deploymentStatus, isRolloutComplete, progressing, setDeploymentCondition } from "./deployment-status.ts";
import { isScaled, makeReplicaSet, scaled, updateNewSet } from "./make-replica-set.ts";
import type { Rollout } from "./rollout.ts";
import {
  isPaused,
  isRolling,
  progressDeadline,
  replicasOf,
  revisionAnnotation,
  revisionOf,
  splitSets,
} from "./rollout.ts";
import { rollForward, scaleToSize } from "./scale-sets.ts";

export interface ObservedDeployment {
  readonly deployment: UnstructuredObject;
  /** Those that it controls. */
  readonly replicaSets: readonly UnstructuredObject[];
  /** Those of its ReplicaSets. */
  readonly pods: readonly UnstructuredObject[];
  /** Why its new ReplicaSet could not be created just now. */
  readonly failure?: string | undefined;
  readonly nowMs: number;
}

/** One pass over a Deployment: its newest ReplicaSet is there, sizes go one step on, the status says how far it is. */
export function decideDeployment(observed: ObservedDeployment): Decision {
  const { deployment, replicaSets, nowMs } = observed;
  const rollout = splitSets(deployment, replicaSets);
  const finish = (actions: readonly Action[], input: Partial<StatusParts> = {}): Decision => {
    const { conditions = conditionsOf(deployment), checksProgress = false } = input;
    const { status, wakeAtMs } = deploymentStatus({ rollout, conditions, checksProgress, nowMs });
    return { actions: [...actions, { do: "status", object: deployment, status }], wakeAtMs };
  };
  if (isTerminating(deployment)) return finish([]);
  const conditions = pauseConditions(deployment, nowMs);
  const adjusted = adjustNewSet(rollout);
  if (isPaused(deployment) || isScaled(rollout)) {
    const sizes = scaleToSize(adjusted.rollout);
    const cleanup = isPaused(deployment) ? removeOldSets(rollout) : [];
    return finish([...merge(adjusted.actions, sizes), ...cleanup], { conditions });
  }
  const mayCreate = isRolling(deployment) || !hasOldPods(observed, rollout);
  if (rollout.newSet === undefined && mayCreate) return createNewSet(observed, rollout, { conditions, finish });
  const steps = isRolling(deployment) ? rollForward(adjusted.rollout) : recreate(observed, adjusted.rollout);
  const cleanup = isRolloutComplete(rollout) ? removeOldSets(rollout) : [];
  const found = rollout.newSet === undefined ? conditions : foundConditions(rollout, conditions, nowMs);
  return finish([...merge(adjusted.actions, steps), ...cleanup], { conditions: found, checksProgress: true });
}

interface StatusParts {
  readonly conditions: readonly Fields[];
  readonly checksProgress: boolean;
}

interface CreateParts {
  readonly conditions: readonly Fields[];
  readonly finish: (actions: readonly Action[], input: Partial<StatusParts>) => Decision;
}

function createNewSet(
  { deployment, failure, nowMs }: ObservedDeployment,
  rollout: Rollout,
  { conditions, finish }: CreateParts,
): Decision {
  const hasDeadline = progressDeadline(deployment) !== undefined;
  const set = makeReplicaSet(rollout);
  if (failure !== undefined) {
    const condition = progressing("False", "ReplicaSetCreateError", failure);
    return finish([], { conditions: hasDeadline ? setDeploymentCondition(conditions, condition, nowMs) : conditions });
  }
  const message = `Created new replica set "${set.metadata.name}"`;
  const condition = progressing("True", "NewReplicaSetCreated", message);
  const actions: Action[] = [
    { do: "create", object: set },
    ...withRevision(deployment, revisionOf(set)),
    ...(isRolling(deployment) ? [] : shrinkAll(rollout)),
  ];
  return finish(actions, {
    conditions: hasDeadline ? setDeploymentCondition(conditions, condition, nowMs) : conditions,
  });
}

/** Brings annotations of the newest set and of the Deployment in line. */
function adjustNewSet(rollout: Rollout): { readonly rollout: Rollout; readonly actions: readonly Action[] } {
  const { deployment, newSet } = rollout;
  if (newSet === undefined) return { rollout, actions: [] };
  const updated = updateNewSet(rollout, newSet);
  const isSame = equalJson(updated, newSet);
  return {
    rollout: { ...rollout, newSet: updated },
    actions: [
      ...(isSame ? [] : [{ do: "update", object: updated } as const]),
      ...withRevision(deployment, revisionOf(updated)),
    ],
  };
}

function withRevision(deployment: UnstructuredObject, revision: number): Action[] {
  if (revisionOf(deployment) === revision) return [];
  const annotations = { ...deployment.metadata.annotations, [revisionAnnotation]: String(revision) };
  return [{ do: "update", object: { ...deployment, metadata: { ...deployment.metadata, annotations } } }];
}

/** Later writes of an object hold the earlier ones of the same pass. */
function merge(first: readonly Action[], second: readonly Action[]): Action[] {
  const written = new Set(second.filter((action) => action.do === "update").map(({ object }) => object.metadata.uid));
  return [...first.filter((action) => action.do !== "update" || !written.has(action.object.metadata.uid)), ...second];
}

function foundConditions({ newSet }: Rollout, conditions: readonly Fields[], nowMs: number): readonly Fields[] {
  if (findCondition(conditions, "Progressing") !== undefined) return conditions;
  const message = `Found new replica set "${newSet?.metadata.name}"`;
  return setDeploymentCondition(conditions, progressing("True", "FoundNewReplicaSet", message), nowMs);
}

function pauseConditions(deployment: UnstructuredObject, nowMs: number): readonly Fields[] {
  const conditions = conditionsOf(deployment);
  const reason = findCondition(conditions, "Progressing")?.["reason"];
  if (progressDeadline(deployment) === undefined || reason === "ProgressDeadlineExceeded") return conditions;
  const paused = progressing("Unknown", "DeploymentPaused", "Deployment is paused");
  const resumed = progressing("Unknown", "DeploymentResumed", "Deployment is resumed");
  const isNoted = reason === paused.reason;
  if (isPaused(deployment) === isNoted) return conditions;
  return setDeploymentCondition(conditions, isNoted ? resumed : paused, nowMs);
}

/** Strategy Recreate: the old pods have to be gone before the new ones come. */
function recreate(observed: ObservedDeployment, rollout: Rollout): Action[] {
  const { deployment, newSet } = rollout;
  const shrunk = shrinkAll(rollout);
  if (shrunk.length > 0 || newSet === undefined || hasOldPods(observed, rollout)) return shrunk;
  const wanted = replicasOf(deployment);
  return replicasOf(newSet) === wanted ? [] : [{ do: "update", object: scaled(deployment, newSet, wanted) }];
}

function shrinkAll({ deployment, oldSets }: Rollout): Action[] {
  return oldSets
    .filter((set) => replicasOf(set) > 0)
    .map((set) => ({ do: "update", object: scaled(deployment, set, 0) }));
}

function hasOldPods({ pods }: ObservedDeployment, { newSet, oldSets }: Rollout): boolean {
  if (oldSets.some((set) => replicasOf(set) > 0)) return true;
  const isOld = (pod: UnstructuredObject): boolean =>
    pod.metadata.ownerReferences?.some(({ uid, controller }) => controller === true && uid !== newSet?.metadata.uid) ??
    false;
  return pods.some((pod) => isOld(pod) && !isFinished(pod));
}

/** Old sets beyond the history that the Deployment keeps. */
function removeOldSets({ deployment, oldSets }: Rollout): Action[] {
  const limit = numberAt(deployment, "spec", "revisionHistoryLimit") ?? 10;
  const alive = oldSets.filter((set) => !isTerminating(set));
  const surplus = alive.toSorted((a, b) => revisionOf(a) - revisionOf(b)).slice(0, Math.max(alive.length - limit, 0));
  return surplus
    .filter((set) => replicasOf(set) === 0 && (numberAt(set, "status", "replicas") ?? 0) === 0)
    .map((object) => ({ do: "delete", object }));
}
