import { annotations } from "../../objects/annotations.ts";
import { agentFinalizer, groupName, versionName } from "../../objects/api-group.ts";
import type { ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding } from "../../objects/foreign-kinds.ts";
import { matchEverywhere } from "../admission-rule.ts";
import { deployItemBound } from "./deploy-item-bound.ts";
import { accountPattern, accountVariables, isMarked, isUpdate, listOf, mapOf } from "./environment-account.ts";
import type { BoundNamespaces, EnvironmentBound } from "./environment-bound.ts";
import { eventBound } from "./event-bound.ts";
import { leaseBound } from "./lease-bound.ts";
import { secretBound } from "./secret-bound.ts";

const tokenBound: EnvironmentBound = {
  name: "tokens",
  group: "",
  version: "v1",
  resources: ["serviceaccounts/token"],
  operations: ["CREATE"],
  rules: [
    {
      expression: isMarked("namespaceObject"),
      message: `the namespace does not permit tokens for the account's Environment, by the annotation ${annotations.environments}`,
    },
  ],
};

const oldMap = (field: "labels" | "annotations"): string => `(oldObject == null ? {} : ${mapOf("oldObject", field)})`;

const environmentBound: EnvironmentBound = {
  name: "environments",
  group: groupName,
  version: versionName,
  resources: ["environments", "environments/status"],
  operations: ["CREATE", "UPDATE", "DELETE"],
  rules: [
    {
      expression:
        "variables.isAgent && (oldObject == null ? object.metadata.name : oldObject.metadata.name) == variables.environment",
      message: "the Environment does not belong to the account's agent",
    },
    {
      expression: `!(${isUpdate}) || !has(oldObject.spec.namespaces) || has(object.spec.namespaces) && (object.spec.namespaces == oldObject.spec.namespaces || object.spec.namespaces.all(n, n in oldObject.spec.namespaces))`,
      message: "agents add no namespaces to spec.namespaces of their Environment",
    },
    {
      expression: `object == null || ${[
        `${mapOf("object", "labels")} == ${oldMap("labels")}`,
        `${mapOf("object", "annotations")} == ${oldMap("annotations")}`,
        `${listOf("object", "ownerReferences")} == (oldObject == null ? [] : ${listOf("oldObject", "ownerReferences")})`,
      ].join(" && ")}`,
      message: "agents set no labels, annotations and owner references of their Environment",
    },
    {
      expression: `object == null || ${listOf("object", "finalizers")}.all(f, f == '${agentFinalizer}' || oldObject != null && f in ${listOf("oldObject", "finalizers")})`,
      message: `agents add no other finalizer than ${agentFinalizer} to their Environment`,
    },
  ],
};

/** The bounds of all kinds that Environment accounts may write. */
export function environmentBounds(namespaces: BoundNamespaces): readonly EnvironmentBound[] {
  return [deployItemBound, secretBound(namespaces), tokenBound, environmentBound, leaseBound, eventBound];
}

/** Not the names of earlier releases: a core that is rolled back applies its own, weaker policies beside these and does not replace them. */
function policyName(bound: EnvironmentBound): string {
  return `${bound.name}.bounds.${groupName}`;
}

/** Policy for writes by Environment accounts; other writers are not matched. */
export function toEnvironmentPolicy(
  bound: EnvironmentBound,
  { management }: BoundNamespaces,
): ValidatingAdmissionPolicy {
  const { group, version, resources, operations, rules } = bound;
  return {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicy",
    metadata: { name: policyName(bound) },
    spec: {
      failurePolicy: "Fail",
      matchConstraints: {
        ...matchEverywhere,
        resourceRules: [
          {
            apiGroups: [group],
            apiVersions: [version],
            operations: [...operations],
            resources: [...resources],
            scope: "*",
          },
        ],
      },
      matchConditions: [
        {
          name: "account-of-an-environment",
          expression: `request.userInfo.username.matches('${accountPattern(management)}')`,
        },
      ],
      variables: accountVariables.map((variable) => ({ ...variable })),
      validations: rules.map((rule) => ({ ...rule, reason: "Forbidden" })),
    },
  };
}

export function toEnvironmentBinding(bound: EnvironmentBound): ValidatingAdmissionPolicyBinding {
  return {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicyBinding",
    metadata: { name: policyName(bound) },
    spec: { policyName: policyName(bound), validationActions: ["Deny"] },
  };
}
