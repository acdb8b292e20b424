import type { UnstructuredObject } from "@landscaper/api";
import { findCondition, hasCondition, inBrackets } from "./conditions.ts";
import { fieldAt } from "../json-value.ts";
import { kstatusRules } from "./kstatus-kinds.ts";
import { failed, inProgress, type KStatus } from "./kstatus-result.ts";
import { groupOf } from "../cluster/resource-reference.ts";

/**
 * Where an object is on its way to its spec, of whatever kind: the conventions of kstatus, which controllers follow, and rules
 * for the built-in kinds (deployers.md §6 B7), by "group/Kind". An object that says nothing about itself is current.
 */
export function checkKstatus(object: UnstructuredObject, rules = kstatusRules): KStatus {
  if (object.metadata.deletionTimestamp !== undefined) return inProgress("is being deleted");
  const rule = rules[`${groupOf(object.apiVersion)}/${object.kind}`];
  return checkConventions(object) ?? rule?.(object) ?? { status: "current" };
}

/** The status is about a former spec. */
export function isOutdated(object: UnstructuredObject): boolean {
  const observed = fieldAt(object, "status", "observedGeneration");
  const { generation } = object.metadata;
  return typeof observed === "number" && generation !== undefined && observed < generation;
}

/** Undefined if the conventions find no problem. */
function checkConventions(object: UnstructuredObject): KStatus | undefined {
  if (isOutdated(object)) return inProgress("its controller has not seen the last change yet");
  const stalled = findCondition(object, "Stalled");
  if (stalled?.status === "True") return failed(`is stalled${inBrackets(stalled.reason)}`);
  if (hasCondition(object, "Reconciling")) {
    return inProgress(`is reconciling${inBrackets(findCondition(object, "Reconciling")?.reason ?? "")}`);
  }
  // The Ready condition of a Pod says less than its rule.
  if (object.apiVersion === "v1" && object.kind === "Pod") return undefined;
  const ready = findCondition(object, "Ready");
  if (ready === undefined || ready.status === "True") return undefined;
  return inProgress(`Ready is ${ready.status === "" ? "unknown" : ready.status}${inBrackets(ready.reason)}`);
}
