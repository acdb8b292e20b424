import type { UnstructuredObject } from "@landscaper/api";
import { fieldAt, isJsonObject, numberAt } from "../json-value.ts";

/** A condition of `status.conditions`. */
export interface Condition {
  readonly status: string;
  /** "" when it has none. */
  readonly reason: string;
}

/** The condition of this type; undefined when the object does not have it. Its message is left out: it may quote anything. */
export function findCondition(object: UnstructuredObject, type: string): Condition | undefined {
  const conditions = fieldAt(object, "status", "conditions");
  if (!Array.isArray(conditions)) return undefined;
  const found = conditions.filter(isJsonObject).find((condition) => condition["type"] === type);
  return found === undefined ? undefined : { status: textOf(found["status"]), reason: textOf(found["reason"]) };
}

/** "TYPE is STATUS (Reason)" of at most three conditions that are not True; "" without any. */
export function describeConditions(object: UnstructuredObject): string {
  const conditions = fieldAt(object, "status", "conditions");
  if (!Array.isArray(conditions)) return "";
  const unmet = conditions.filter(isJsonObject).filter(({ status, type }) => status !== "True" && textOf(type) !== "");
  return unmet
    .slice(0, 3)
    .map(({ type, status, reason }) => `${textOf(type)} is ${textOf(status) || "unknown"}${inBrackets(textOf(reason))}`)
    .join(", ");
}

/** Whether the condition of this type is there and has this status. */
export function hasCondition(object: UnstructuredObject, type: string, status = "True"): boolean {
  return findCondition(object, type)?.status === status;
}

/** " (Reason)", or nothing. */
export function inBrackets(text: string): string {
  return text === "" ? "" : ` (${text})`;
}

/** Whether the controller of the object has seen its last change, as far as the status tells. */
export function isObserved(object: UnstructuredObject): boolean {
  return numberAt(object, ["status", "observedGeneration"], 0) >= (object.metadata.generation ?? 0);
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
