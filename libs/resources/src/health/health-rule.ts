import type { HealthRule, UnstructuredObject } from "@landscaper/api";
import { groupOf } from "../cluster/resource-reference.ts";
import { fieldAt } from "../json-value.ts";
import { isBuiltInGroup } from "../readiness/built-in-groups.ts";

/** The rules that may be for an object, by its group, its kind and its fields: expressions are not evaluated. Pure. */
export function rulesFor(object: UnstructuredObject, rules: readonly HealthRule[]): readonly HealthRule[] {
  const group = groupOf(object.apiVersion);
  return rules.filter(
    ({ groups, kinds, anyField }) =>
      groups.some((each) => isOfGroup(group, each)) &&
      kinds.some((each) => each === "*" || each === object.kind) &&
      (anyField === undefined || anyField.some((path) => fieldAt(object, ...path.split(".")) !== undefined)),
  );
}

/** `*.example.com`: every group below, and not `example.com`; `*`: every group but those of Kubernetes itself. */
function isOfGroup(group: string, pattern: string): boolean {
  if (pattern === "*") return !isBuiltInGroup(group);
  return pattern.startsWith("*.") ? group.endsWith(pattern.slice(1)) : group === pattern;
}
