import { groupName, versionName } from "../objects/api-group.ts";
import type { ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding } from "../objects/foreign-kinds.ts";
import type { KindDefinition } from "../objects/kind-definition.ts";
import { labels } from "../objects/labels.ts";

/** One rule of core.md §3.6 in CEL over `object`, `oldObject`, `request` and the rule set's variables. */
export interface AdmissionRule {
  /** True for good objects. */
  readonly expression: string;
  /** Names the field and what is expected. */
  readonly message: string;
  /** The message as a CEL expression, where an entry of a list is to be named; `message` stands in when it fails. */
  readonly messageExpression?: string;
  /** Status reason of the refusal; Invalid (422) unless given. */
  readonly reason?: "Forbidden";
}

/** All rules of a kind; variables may use those before them. */
export interface AdmissionRuleSet {
  readonly kind: KindDefinition;
  /** The skip-validation label has no effect: no webhook of the original checked the kind. */
  readonly hasNoExemption?: true;
  readonly variables: readonly { readonly name: string; readonly expression: string }[];
  readonly rules: readonly AdmissionRule[];
}

function hasSkipLabel(object: string): string {
  const key = `'${labels.skipValidation}'`;
  return `has(${object}.metadata.labels) && ${key} in ${object}.metadata.labels && ${object}.metadata.labels[${key}] == 'true'`;
}

/**
 * When the rules apply: never to objects that bear the skip-validation label; to an update only when it changes the spec or takes
 * that label away, so that finalizers and annotations of older objects can still be written.
 */
function matchConditionsOf({ hasNoExemption }: AdmissionRuleSet): { name: string; expression: string }[] {
  const isNew = { name: "spec-is-new", expression: "oldObject == null || object.spec != oldObject.spec" };
  if (hasNoExemption) return [isNew];
  return [
    { name: "not-skipped", expression: `!(${hasSkipLabel("object")})` },
    { ...isNew, expression: `${isNew.expression} || (${hasSkipLabel("oldObject")})` },
  ];
}

/** What an API server fills in where it is absent: with it, a policy is stored as it is written here, and can be compared. */
export const matchEverywhere = { matchPolicy: "Equivalent", namespaceSelector: {}, objectSelector: {} } as const;

/** Name of the policy, and of its binding, of a kind: that of the original's webhook (core.md §3.6). */
export function admissionPolicyName(kind: KindDefinition): string {
  return `${kind.type.plural}.validation.${groupName}`;
}

/** Only the main resource matches: writes of status and metadata of the status subresource are never checked. */
export function toAdmissionPolicy(set: AdmissionRuleSet): ValidatingAdmissionPolicy {
  return {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicy",
    metadata: { name: admissionPolicyName(set.kind) },
    spec: {
      failurePolicy: "Fail",
      matchConstraints: {
        ...matchEverywhere,
        resourceRules: [
          {
            apiGroups: [groupName],
            apiVersions: [versionName],
            operations: ["CREATE", "UPDATE"],
            resources: [set.kind.type.plural],
            scope: "*",
          },
        ],
      },
      matchConditions: matchConditionsOf(set),
      ...(set.variables.length > 0 ? { variables: set.variables.map((variable) => ({ ...variable })) } : {}),
      validations: set.rules.map((rule) => ({ ...rule })),
    },
  };
}

export function toAdmissionPolicyBinding(set: AdmissionRuleSet): ValidatingAdmissionPolicyBinding {
  const name = admissionPolicyName(set.kind);
  return {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicyBinding",
    metadata: { name },
    spec: { policyName: name, validationActions: ["Deny"] },
  };
}

/** CEL of a list field that may be absent, as are the objects above it: `object.spec.imports.data` or []. */
export function listOrEmpty(path: string): string {
  const parts = path.split(".");
  const checks = parts.slice(2).map((_, index) => `has(${parts.slice(0, index + 3).join(".")})`);
  return `${checks.join(" && ")} ? ${path} : []`;
}

/** Longest list whose names are compared with each other in CEL, whose cost is limited; the controller checks longer ones. */
const maxComparedNames = 250;

/** CEL that is true when every name of the list variable is there once. */
export function isUnique(names: string): string {
  return `size(${names}) > ${maxComparedNames} || ${names}.all(n, ${names}.exists_one(m, m == n))`;
}

/** CEL text with the names that stand more than once. */
export function duplicatesOf(names: string): string {
  return `${names}.filter(n, ${names}.filter(m, m == n).size() > 1)[0]`;
}
