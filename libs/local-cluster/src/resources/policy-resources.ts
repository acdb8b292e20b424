import { validateAdmissionBinding } from "../admission/validate-admission-binding.ts";
import { validateAdmissionPolicy } from "../admission/validate-admission-policy.ts";
import { pathSegmentProblems } from "../objects/validate-names.ts";
import { bindingStrategy, roleStrategy } from "../strategies/rbac.ts";
import { webhookConfigurationStrategy } from "../strategies/webhook-configuration.ts";
import { defineResource } from "./define-resource.ts";
import type { ResourceDefinition } from "./resource-definition.ts";

const rbac = { group: "rbac.authorization.k8s.io", version: "v1", createOnUpdate: true } as const;
const admission = {
  group: "admissionregistration.k8s.io",
  version: "v1",
  namespaced: false,
  categories: ["api-extensions"],
  generation: "all-but-status",
} as const;

/** Who may do what, and what is refused. */
export const policyResources: readonly ResourceDefinition[] = [
  defineResource({ ...rbac, kind: "Role", plural: "roles", namespaced: true, strategy: roleStrategy }),
  defineResource({ ...rbac, kind: "RoleBinding", plural: "rolebindings", namespaced: true, strategy: bindingStrategy }),
  defineResource({ ...rbac, kind: "ClusterRole", plural: "clusterroles", namespaced: false, strategy: roleStrategy }),
  defineResource({
    ...rbac,
    kind: "ClusterRoleBinding",
    plural: "clusterrolebindings",
    namespaced: false,
    strategy: bindingStrategy,
  }),
  defineResource({
    ...admission,
    kind: "ValidatingAdmissionPolicy",
    plural: "validatingadmissionpolicies",
    status: true,
    unconditionalUpdate: false,
    strategy: { allowsBareFinalizers: true, validate: validateAdmissionPolicy },
  }),
  defineResource({
    ...admission,
    kind: "ValidatingAdmissionPolicyBinding",
    plural: "validatingadmissionpolicybindings",
    unconditionalUpdate: false,
    strategy: { allowsBareFinalizers: true, validate: validateAdmissionBinding },
  }),
  ...(["Validating", "Mutating"] as const).map((kind) =>
    defineResource({
      ...admission,
      kind: `${kind}WebhookConfiguration`,
      plural: `${kind.toLowerCase()}webhookconfigurations`,
      strategy: webhookConfigurationStrategy,
    }),
  ),
  defineResource({
    group: "policy",
    version: "v1",
    kind: "PodDisruptionBudget",
    plural: "poddisruptionbudgets",
    namespaced: true,
    shortNames: ["pdb"],
    status: true,
    generation: "spec",
    unconditionalUpdate: false,
    strategy: { allowsBareFinalizers: true, validateName: pathSegmentProblems },
  }),
];
