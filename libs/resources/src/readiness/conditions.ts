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

/** Types of conditions that report a problem when they are True. */
const negativeTypes: ReadonlySet<string> = new Set(["Degraded", "Failed", "NotReady", "Stalled"]);
/** Matches the types and reasons that controllers write, but no free text. */
const conditionWord = /^[A-Za-z][A-Za-z0-9./_-]{0,99}$/;

/** "TYPE is STATUS (Reason)" of at most three conditions that report a problem; "" without any. */
export function describeConditions(object: UnstructuredObject): string {
  const conditions = fieldAt(object, "status", "conditions");
  if (!Array.isArray(conditions)) return "";
  const bad = conditions.filter(isJsonObject).filter(({ status, type }) => {
    if (typeof type !== "string" || !conditionWord.test(type)) return false;
    return status === "False" || status === "Unknown" || (status === "True" && negativeTypes.has(type));
  });
  return bad
    .slice(0, 3)
    .map(({ type, status, reason }) => `${textOf(type)} is ${textOf(status)}${inBrackets(wordOf(reason))}`)
    .join(", ");
}

function wordOf(value: unknown): string {
  return typeof value === "string" && conditionWord.test(value) ? value : "";
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
