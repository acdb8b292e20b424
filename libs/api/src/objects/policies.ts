import { toAdmissionPolicy, toAdmissionPolicyBinding } from "../admission/admission-rule.ts";
import { deployItemRules } from "../admission/deploy-item-rules.ts";
import type { BoundNamespaces } from "../admission/environments/environment-bound.ts";
import {
  environmentBounds,
  toEnvironmentBinding,
  toEnvironmentPolicy,
} from "../admission/environments/environment-policies.ts";
import { executionRules } from "../admission/execution-rules.ts";
import { installationRules } from "../admission/installation-rules.ts";
import { targetRules } from "../admission/target-rules.ts";
import type { ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding } from "./foreign-kinds.ts";

/** A policy, or its binding, which has the same name. */
export type AdmissionObject = ValidatingAdmissionPolicy | ValidatingAdmissionPolicyBinding;

/**
 * What the original's webhooks check (core.md §3.6), one policy and one binding per kind. They are policies and not CRD rules,
 * because the skip-validation label has to exempt from each of them.
 */
export function generateAdmissionPolicies(): AdmissionObject[] {
  const sets = [installationRules, executionRules, deployItemRules, targetRules];
  return sets.flatMap((set) => [toAdmissionPolicy(set), toAdmissionPolicyBinding(set)]);
}

/** Namespaces of a hub that is installed as docs/guide/install.md describes. */
export const defaultBoundNamespaces: BoundNamespaces = { management: "ls-system", core: "landscaper-system" };

/** Policies and bindings that bound Environment accounts (docs/reference/deployer-management.md#bounds). */
export function generateEnvironmentPolicies(namespaces: BoundNamespaces = defaultBoundNamespaces): AdmissionObject[] {
  return environmentBounds(namespaces).flatMap((bound) => [
    toEnvironmentPolicy(bound, namespaces),
    toEnvironmentBinding(bound),
  ]);
}
