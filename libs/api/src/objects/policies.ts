import { toAdmissionPolicy, toAdmissionPolicyBinding } from "../admission/admission-rule.ts";
import { deployItemRules } from "../admission/deploy-item-rules.ts";
import { environmentBounds, toEnvironmentBinding, toEnvironmentPolicy } from "../admission/environment-bounds.ts";
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

/** What bounds the accounts of an Environment (docs/reference/deployer-management.md#bounds). */
export function generateEnvironmentPolicies(): AdmissionObject[] {
  return environmentBounds.flatMap((bound) => [toEnvironmentPolicy(bound), toEnvironmentBinding(bound)]);
}
