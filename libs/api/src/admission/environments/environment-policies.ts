import { annotations } from "../../objects/annotations.ts";
import { groupName } from "../../objects/api-group.ts";
import type { ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding } from "../../objects/foreign-kinds.ts";
import { matchEverywhere } from "../admission-rule.ts";
import { deployItemBound } from "./deploy-item-bound.ts";
import { accountPattern, accountVariables, isMarked } from "./environment-account.ts";
import type { BoundSettings, EnvironmentBound } from "./environment-bound.ts";
import { environmentBound } from "./environment-object-bound.ts";
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
      message: `the annotation ${annotations.environments} of the namespace must contain the account's Environment, or must be *; an administrator can set it`,
    },
  ],
};

/** The bounds of all kinds that Environment accounts may write. */
export function environmentBounds(settings: BoundSettings): readonly EnvironmentBound[] {
  return [deployItemBound, secretBound(settings), tokenBound, environmentBound(settings), leaseBound, eventBound];
}

/** Differs from the names in earlier releases: a core that is rolled back then applies its weaker policies beside these instead of replacing them. */
function policyName(bound: EnvironmentBound): string {
  return `${bound.name}.bounds.${groupName}`;
}

/** Revision of the rules. Increase it with each change: a core that is rolled back keeps the policies of a higher revision. */
export const boundsRevision = 2;

const metadataOf = (bound: EnvironmentBound): ValidatingAdmissionPolicy["metadata"] => ({
  name: policyName(bound),
  annotations: { [annotations.policyRevision]: String(boundsRevision) },
});

/** Policy for writes by Environment accounts; other writers are not matched. */
export function toEnvironmentPolicy(bound: EnvironmentBound, { management }: BoundSettings): ValidatingAdmissionPolicy {
  const { group, version, resources, operations, rules } = bound;
  return {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicy",
    metadata: metadataOf(bound),
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
    metadata: metadataOf(bound),
    spec: { policyName: policyName(bound), validationActions: ["Deny"] },
  };
}
