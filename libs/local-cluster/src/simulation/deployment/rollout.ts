import type { UnstructuredObject } from "@landscaper/api";
import { equalJson, fieldAt, isRecord, numberAt, recordAt, stringAt } from "../../objects/json.ts";

export const hashLabel = "pod-template-hash";
export const revisionAnnotation = "deployment.kubernetes.io/revision";

/** A Deployment with its ReplicaSets, told apart. */
export interface Rollout {
  readonly deployment: UnstructuredObject;
  /** The one of the present template. */
  readonly newSet: UnstructuredObject | undefined;
  /** All others, oldest first. */
  readonly oldSets: readonly UnstructuredObject[];
}

/** Finds the ReplicaSet of the present template; of several the oldest. */
export function splitSets(deployment: UnstructuredObject, sets: readonly UnstructuredObject[]): Rollout {
  const byAge = sets.toSorted(compareAge);
  const template = fieldAt(deployment, "spec", "template");
  const newSet = byAge.find((set) => equalJson(withoutHash(fieldAt(set, "spec", "template")), withoutHash(template)));
  return { deployment, newSet, oldSets: byAge.filter((set) => set !== newSet) };
}

function withoutHash(template: unknown): unknown {
  const metadata = recordAt(template, "metadata");
  const { [hashLabel]: _hash, ...labels } = recordAt(metadata, "labels");
  return { ...recordAt({ template }, "template"), metadata: { ...metadata, labels } };
}

function compareAge(a: UnstructuredObject, b: UnstructuredObject): number {
  const age = ({ metadata }: UnstructuredObject): string => `${metadata.creationTimestamp}/${metadata.name}`;
  return revisionOf(a) - revisionOf(b) || (age(a) < age(b) ? -1 : 1);
}

export function revisionOf({ metadata }: UnstructuredObject): number {
  return Number(metadata.annotations?.[revisionAnnotation] ?? 0);
}

export function replicasOf(object: UnstructuredObject): number {
  return numberAt(object, "spec", "replicas") ?? 1;
}

export function availableOf(set: UnstructuredObject): number {
  return numberAt(set, "status", "availableReplicas") ?? 0;
}

export function sum(sets: readonly UnstructuredObject[], count: (set: UnstructuredObject) => number): number {
  return sets.reduce((total, set) => total + count(set), 0);
}

export function allSets({ newSet, oldSets }: Rollout): readonly UnstructuredObject[] {
  return newSet === undefined ? oldSets : [...oldSets, newSet];
}

export function isRolling(deployment: UnstructuredObject): boolean {
  return stringAt(deployment, "spec", "strategy", "type") !== "Recreate";
}

/** How many pods may be too many and too few during a rolling update; a surge is rounded up, a lack down. */
export function tolerances(deployment: UnstructuredObject): { readonly surge: number; readonly unavailable: number } {
  const replicas = replicasOf(deployment);
  if (!isRolling(deployment)) return { surge: 0, unavailable: replicas };
  const rolling = recordAt(deployment, "spec", "strategy", "rollingUpdate");
  const surge = resolve(rolling["maxSurge"], replicas, Math.ceil);
  const unavailable = Math.min(resolve(rolling["maxUnavailable"], replicas, Math.floor), replicas);
  // Without any tolerance the update could never begin.
  return surge === 0 && unavailable === 0 ? { surge, unavailable: 1 } : { surge, unavailable };
}

/** A number or a percentage of `total`. */
export function resolve(value: unknown, total: number, round: (value: number) => number): number {
  if (typeof value === "number") return value;
  const percent = typeof value === "string" ? /^(\d+)%$/.exec(value)?.[1] : undefined;
  return percent === undefined ? 0 : round((total * Number(percent)) / 100);
}

/** Seconds without progress after which a rollout counts as stuck; undefined: never. */
export function progressDeadline(deployment: UnstructuredObject): number | undefined {
  const seconds = numberAt(deployment, "spec", "progressDeadlineSeconds");
  return seconds === undefined || seconds === 2 ** 31 - 1 ? undefined : seconds;
}

export function isPaused(deployment: UnstructuredObject): boolean {
  return isRecord(deployment["spec"]) && deployment["spec"]["paused"] === true;
}
