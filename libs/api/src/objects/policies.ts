import { toAdmissionPolicy, toAdmissionPolicyBinding } from "../admission/admission-rule.ts";
import { deployItemRules } from "../admission/deploy-item-rules.ts";
import { generateAnnotationWarnings } from "../admission/annotation-warnings.ts";
import type { BoundSettings } from "../admission/environments/environment-bound.ts";
import {
  environmentBounds,
  toEnvironmentBinding,
  toEnvironmentPolicy,
} from "../admission/environments/environment-policies.ts";
import { environmentRules } from "../admission/environment-rules.ts";
import { executionRules } from "../admission/execution-rules.ts";
import { installationRules } from "../admission/installation-rules.ts";
import { targetRules } from "../admission/target-rules.ts";
import type { ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding } from "./foreign-kinds.ts";

/** A policy, or its binding, which has the same name. */
export type AdmissionObject = ValidatingAdmissionPolicy | ValidatingAdmissionPolicyBinding;

/**
 * What the original's webhooks check (core.md §3.6), and the namespaces of Environments; one policy and one binding per kind. They are
 * policies and not CRD rules, because the skip-validation label must exempt objects from each check of the webhooks, and because a CRD rule
 * cannot require a field of new objects alone.
 */
export function generateAdmissionPolicies(): AdmissionObject[] {
  const sets = [installationRules, executionRules, deployItemRules, targetRules, environmentRules];
  return sets.flatMap((set) => [toAdmissionPolicy(set), toAdmissionPolicyBinding(set)]);
}

/** Policies that do not depend on how the hub is installed: what it refuses, and what it warns about. */
export function generateHubPolicies(): AdmissionObject[] {
  return [...generateAdmissionPolicies(), ...generateAnnotationWarnings()];
}

/** A hub that is installed as docs/guide/install.md describes, without an agent beside its core. */
export const defaultBoundSettings: BoundSettings = {
  management: "ls-system",
  core: "landscaper-system",
  hubEnvironments: [],
};

/** Policies and bindings that bound Environment accounts (docs/reference/deployer-management.md#bounds). */
export function generateEnvironmentPolicies(settings: BoundSettings = defaultBoundSettings): AdmissionObject[] {
  return environmentBounds(settings).flatMap((bound) => [
    toEnvironmentPolicy(bound, settings),
    toEnvironmentBinding(bound),
  ]);
}
