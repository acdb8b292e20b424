import { fieldAt, isRecord, listAt, recordAt, stringAt } from "../objects/json.ts";
import { parseMatchResources } from "./match-resources.ts";
import type { MatchResources } from "./match-resources.ts";

export interface NamedExpression {
  readonly name: string;
  readonly expression: string;
}

export interface PolicyValidation {
  readonly expression: string;
  readonly message: string;
  readonly messageExpression: string;
  readonly reason: string;
}

/** A ValidatingAdmissionPolicy as far as it is evaluated. */
export interface AdmissionPolicy {
  readonly name: string;
  readonly failurePolicy: "Fail" | "Ignore";
  /** Policies with parameters cannot be evaluated here. */
  readonly hasParams: boolean;
  readonly matchConstraints: MatchResources;
  readonly matchConditions: readonly NamedExpression[];
  readonly variables: readonly NamedExpression[];
  readonly validations: readonly PolicyValidation[];
  /** Expressions of audit annotations. */
  readonly auditValues: readonly string[];
}

/** A ValidatingAdmissionPolicyBinding as far as it is evaluated. */
export interface AdmissionBinding {
  readonly name: string;
  readonly policyName: string;
  readonly actions: readonly string[];
  readonly matchResources: MatchResources;
}

/** Reads a stored, hence valid, policy. */
export function parseAdmissionPolicy(policy: unknown): AdmissionPolicy {
  return {
    name: stringAt(policy, "metadata", "name"),
    failurePolicy: stringAt(policy, "spec", "failurePolicy") === "Ignore" ? "Ignore" : "Fail",
    hasParams: fieldAt(policy, "spec", "paramKind") !== undefined,
    matchConstraints: parseMatchResources(recordAt(policy, "spec", "matchConstraints")),
    matchConditions: namedExpressions(policy, "matchConditions"),
    variables: namedExpressions(policy, "variables"),
    auditValues: listAt(policy, "spec", "auditAnnotations").map((annotation) =>
      stringAt(annotation, "valueExpression"),
    ),
    validations: listAt(policy, "spec", "validations")
      .filter(isRecord)
      .map((validation) => ({
        expression: stringAt(validation, "expression"),
        message: stringAt(validation, "message"),
        messageExpression: stringAt(validation, "messageExpression"),
        reason: stringAt(validation, "reason") || "Invalid",
      })),
  };
}

/** Reads a stored, hence valid, binding. */
export function parseAdmissionBinding(binding: unknown): AdmissionBinding {
  return {
    name: stringAt(binding, "metadata", "name"),
    policyName: stringAt(binding, "spec", "policyName"),
    actions: listAt(binding, "spec", "validationActions").filter((action) => typeof action === "string"),
    matchResources: parseMatchResources(recordAt(binding, "spec", "matchResources")),
  };
}

function namedExpressions(policy: unknown, field: "matchConditions" | "variables"): NamedExpression[] {
  return listAt(policy, "spec", field).map((entry) => ({
    name: stringAt(entry, "name"),
    expression: stringAt(entry, "expression"),
  }));
}
