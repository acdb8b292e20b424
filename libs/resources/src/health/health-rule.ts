import type { HealthRule, UnstructuredObject } from "@landscaper/api";
import { groupOf } from "../cluster/resource-reference.ts";
import { fieldAt } from "../json-value.ts";
import { isBuiltInGroup } from "../readiness/built-in-groups.ts";

/** Returns the rules that may apply to an object, by its group, kind and fields. Evaluates no expressions. Pure. */
export function rulesFor(object: UnstructuredObject, rules: readonly HealthRule[]): readonly HealthRule[] {
  const group = groupOf(object.apiVersion);
  return rules.filter(
    ({ groups, kinds, anyField }) =>
      groups.some((each) => isOfGroup(group, each)) &&
      kinds.some((each) => each === "*" || each === object.kind) &&
      (anyField === undefined || anyField.some((path) => fieldAt(object, ...path.split(".")) !== undefined)),
  );
}

/** `*.example.com`: every group below `example.com`, but not `example.com`. `*`: every group except those of Kubernetes itself. */
function isOfGroup(group: string, pattern: string): boolean {
  if (pattern === "*") return !isBuiltInGroup(group);
  return pattern.startsWith("*.") ? group.endsWith(pattern.slice(1)) : group === pattern;
}
