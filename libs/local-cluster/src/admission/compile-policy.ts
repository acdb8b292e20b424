import type { AdmissionPolicy, PolicyValidation } from "./admission-policy.ts";
import { compileTyped } from "./compile-typed.ts";
import type { CompiledExpression } from "./compile-typed.ts";
import { createPolicyEnvironment } from "./policy-environment.ts";
import type { PolicyEnvironment } from "./policy-environment.ts";
import { compileVariables } from "./policy-variables.ts";
import type { PolicyVariables } from "./policy-variables.ts";

export interface CompiledValidation extends CompiledExpression {
  readonly validation: PolicyValidation;
  readonly message: CompiledExpression | undefined;
}

/** A policy, ready to be evaluated. */
export interface CompiledPolicy {
  readonly policy: AdmissionPolicy;
  readonly types: PolicyEnvironment;
  readonly matchConditions: readonly CompiledExpression[];
  readonly variables: PolicyVariables;
  readonly validations: readonly CompiledValidation[];
  /** Values of audit annotations, which are checked and never written. */
  readonly audit: readonly CompiledExpression[];
}

/** Compiles all expressions of a policy; problems are kept, for the failure policy to decide or the policy to be refused. */
export function compilePolicy(policy: AdmissionPolicy): CompiledPolicy {
  const types = createPolicyEnvironment();
  const variables = compileVariables(types.environment, policy.variables);
  const compile = (expression: string, type: string | undefined): CompiledExpression =>
    compileTyped(variables.environment, { expression, type });
  return {
    policy,
    types,
    variables,
    // Conditions decide about the policy as a whole and do not see its variables.
    matchConditions: policy.matchConditions.map(({ expression }) =>
      compileTyped(types.environment, { expression, type: "bool" }),
    ),
    audit: policy.auditValues.map((expression) => compile(expression, undefined)),
    validations: policy.validations.map((validation) => ({
      validation,
      ...compile(validation.expression, "bool"),
      message: validation.messageExpression === "" ? undefined : compile(validation.messageExpression, "string"),
    })),
  };
}
