import type { UnstructuredObject } from "@landscaper/api";
import { isRecord, listAt, stringAt } from "../objects/json.ts";

export type Fields = Readonly<Record<string, unknown>>;

export interface Condition {
  readonly type: string;
  readonly status: "True" | "False" | "Unknown";
  readonly reason: string;
  readonly message: string;
}

export function conditionsOf(object: UnstructuredObject): readonly Fields[] {
  return listAt(object, "status", "conditions").filter(isRecord);
}

export function findCondition(conditions: readonly Fields[], type: string): Fields | undefined {
  return conditions.find((condition) => condition["type"] === type);
}

export function isTrue(conditions: readonly Fields[], type: string): boolean {
  return stringAt(findCondition(conditions, type), "status") === "True";
}

export interface ConditionTimes {
  readonly now: string;
  /** Fields with the time of each write, beside lastTransitionTime. */
  readonly timeFields?: readonly string[];
}

/** The conditions with one set, as the workload controllers do it: the same status and reason stay as they are, others go to the end. */
export function withCondition(
  conditions: readonly Fields[],
  condition: Condition,
  { now, timeFields = [] }: ConditionTimes,
): readonly Fields[] {
  const old = findCondition(conditions, condition.type);
  if (old?.["status"] === condition.status && old["reason"] === condition.reason) return conditions;
  const lastTransitionTime = old?.["status"] === condition.status ? old["lastTransitionTime"] : now;
  const times = Object.fromEntries(timeFields.map((field) => [field, now]));
  return [...withoutCondition(conditions, condition.type), { ...condition, ...times, lastTransitionTime }];
}

export function withoutCondition(conditions: readonly Fields[], type: string): readonly Fields[] {
  return conditions.filter((condition) => condition["type"] !== type);
}
