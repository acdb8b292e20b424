import type { HealthRule, UnstructuredObject } from "@landscaper/api";
import { groupOf } from "../cluster/resource-reference.ts";
import { isBuiltInGroup } from "../readiness/built-in-groups.ts";

/** The rules that may be for an object, by its group and kind. Pure. */
export function rulesFor(
  { apiVersion, kind }: UnstructuredObject,
  rules: readonly HealthRule[],
): readonly HealthRule[] {
  const group = groupOf(apiVersion);
  return rules.filter(
    ({ groups, kinds }) =>
      groups.some((each) => isOfGroup(group, each)) && kinds.some((each) => each === "*" || each === kind),
  );
}

/** `*.example.com`: every group below, and not `example.com`; `*`: every group but those of Kubernetes itself. */
function isOfGroup(group: string, pattern: string): boolean {
  if (pattern === "*") return !isBuiltInGroup(group);
  return pattern.startsWith("*.") ? group.endsWith(pattern.slice(1)) : group === pattern;
}
