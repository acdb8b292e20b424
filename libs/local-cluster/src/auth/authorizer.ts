import type { User } from "./user.ts";

/** What somebody wants to do. */
export type AccessRequest =
  | {
      readonly type: "resource";
      readonly verb: string;
      readonly group: string;
      readonly resource: string;
      readonly subresource: string;
      readonly namespace: string;
      readonly name: string;
    }
  | { readonly type: "path"; readonly verb: string; readonly path: string };

export interface PolicyRule {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames: readonly string[];
  readonly nonResourceURLs: readonly string[];
}

/** Decides who may do what. */
export interface Authorizer {
  isAllowed(user: User, access: AccessRequest): boolean;
  /** Everything that the user may do in a namespace. */
  rulesFor(user: User, namespace: string): readonly PolicyRule[];
}

const everything: readonly PolicyRule[] = [
  { verbs: ["*"], apiGroups: ["*"], resources: ["*"], resourceNames: [], nonResourceURLs: [] },
  { verbs: ["*"], apiGroups: [], resources: [], resourceNames: [], nonResourceURLs: ["*"] },
];

/** Whoever is authenticated may do everything. */
export const alwaysAllow: Authorizer = { isAllowed: () => true, rulesFor: () => everything };

/** Whether one rule allows the request. Models pkg/apis/rbac/v1/evaluation_helpers.go. */
export function ruleAllows(rule: PolicyRule, access: AccessRequest): boolean {
  if (!includes(rule.verbs, access.verb)) return false;
  if (access.type === "path") {
    return rule.nonResourceURLs.some((url) =>
      url.endsWith("*") ? access.path.startsWith(url.slice(0, -1)) : url === access.path,
    );
  }
  const { resource, subresource, name } = access;
  const wanted = subresource === "" ? resource : `${resource}/${subresource}`;
  const matchesResource =
    includes(rule.resources, wanted) || (subresource !== "" && rule.resources.includes(`*/${subresource}`));
  const matchesName = rule.resourceNames.length === 0 || (name !== "" && rule.resourceNames.includes(name));
  return matchesResource && matchesName && includes(rule.apiGroups, access.group);
}

function includes(values: readonly string[], wanted: string): boolean {
  return values.includes("*") || values.includes(wanted);
}
