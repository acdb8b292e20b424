import type { Permission, Right } from "@landscaper/api";
import { listPermissions } from "@landscaper/api";

/** A rule of a SelfSubjectRulesReview. */
export interface ReviewedRule {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames: readonly string[];
}

const includes = (values: readonly string[], wanted: string): boolean =>
  values.includes("*") || values.includes(wanted);

/** Whether the rule allows it: "*" stands for everything, a rule without names for all names. Pure. */
export function covers(rule: ReviewedRule, { verb, group, resource, name }: Permission): boolean {
  if (!includes(rule.verbs, verb) || !includes(rule.apiGroups, group)) return false;
  const [, subresource] = resource.split("/");
  const isNamed = includes(rule.resources, resource) || rule.resources.includes(`*/${subresource ?? ""}`);
  return isNamed && (rule.resourceNames.length === 0 || (name !== undefined && rule.resourceNames.includes(name)));
}

/** What of the rights the rules do not allow. Pure. */
export function findUncovered(rights: readonly Right[], rules: readonly ReviewedRule[]): readonly Permission[] {
  return listPermissions(rights).filter((permission) => !rules.some((rule) => covers(rule, permission)));
}

/** "get, list secrets; create events (events.k8s.io)": one part for each resource and name. Pure. */
export function describePermissions(permissions: readonly Permission[]): string {
  const verbs = new Map<string, string[]>();
  for (const { verb, group, resource, name } of permissions) {
    const what = `${resource}${group === "" ? "" : ` (${group})`}${name === undefined ? "" : ` "${name}"`}`;
    verbs.set(what, [...(verbs.get(what) ?? []), verb]);
  }
  return [...verbs].map(([what, missing]) => `${missing.join(", ")} ${what}`).join("; ");
}
