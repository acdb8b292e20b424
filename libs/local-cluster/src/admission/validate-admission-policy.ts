import { isIdentifier } from "@landscaper/cel";
import type { UnstructuredObject } from "@landscaper/api";
import { fieldAt, listAt, stringAt } from "../objects/json.ts";
import { qualifiedNameProblems } from "../objects/validate-names.ts";
import { childOf, elementOf } from "../schema/field-path.ts";
import { duplicateValue, invalidValue, requiredValue, unsupportedValue } from "../schema/schema-errors.ts";
import type { FieldError } from "../status/field-error.ts";
import { parseAdmissionPolicy } from "./admission-policy.ts";
import { compilePolicy } from "./compile-policy.ts";
import type { CompiledValidation } from "./compile-policy.ts";
import type { CompiledExpression } from "./compile-typed.ts";
import type { CompiledVariable } from "./policy-variables.ts";
import { validateMatchResources } from "./validate-match-resources.ts";

/** What the API server refuses in a ValidatingAdmissionPolicy, expressions that do not compile included. */
export function validateAdmissionPolicy(policy: UnstructuredObject): FieldError[] {
  const { matchConditions, variables, validations, audit } = compilePolicy(parseAdmissionPolicy(policy));
  const failurePolicy = stringAt(policy, "spec", "failurePolicy") || "Fail";
  const policies = ["Fail", "Ignore"];
  const isEmpty = validations.length === 0 && listAt(policy, "spec", "auditAnnotations").length === 0;
  return [
    ...(policies.includes(failurePolicy) ? [] : [unsupportedValue("spec.failurePolicy", failurePolicy, policies)]),
    ...validateConstraints(policy),
    ...conditionErrors(listAt(policy, "spec", "matchConditions"), matchConditions, "spec.matchConditions"),
    ...variables.variables.flatMap((compiled, index) => validateVariable(compiled, elementOf("spec.variables", index))),
    ...(isEmpty ? missingValidations : []),
    ...validations.flatMap((compiled, index) => validateValidation(policy, compiled, index)),
    ...listAt(policy, "spec", "auditAnnotations").flatMap((_annotation, index) =>
      validateAudit(policy, audit[index], index),
    ),
  ];
}

const missingValidations = ["spec.validations", "spec.auditAnnotations"].map((field) =>
  requiredValue(field, "validations or auditAnnotations must contain at least one item"),
);

function validateConstraints(policy: UnstructuredObject): FieldError[] {
  const path = "spec.matchConstraints";
  const constraints = fieldAt(policy, "spec", "matchConstraints");
  if (constraints === undefined) {
    return [requiredValue(path)];
  }
  const rules = listAt(constraints, "resourceRules");
  return [
    ...validateMatchResources(constraints, path),
    ...(rules.length === 0 ? [requiredValue(childOf(path, "resourceRules"))] : []),
  ];
}

/** What the API server refuses in match conditions that do not belong to a policy: those of webhooks. */
export function validateMatchConditions(conditions: readonly unknown[], at: string): FieldError[] {
  if (conditions.length === 0) return [];
  const { matchConditions } = compilePolicy(parseAdmissionPolicy({ spec: { matchConditions: conditions } }));
  return conditionErrors(conditions, matchConditions, at);
}

function conditionErrors(
  conditions: readonly unknown[],
  compiled: readonly CompiledExpression[],
  at: string,
): FieldError[] {
  const names = conditions.map((condition) => stringAt(condition, "name"));
  return compiled.flatMap((condition, index) => validateCondition(names, condition, elementOf(at, index)));
}

function validateCondition(names: readonly string[], compiled: CompiledExpression, path: string): FieldError[] {
  const index = Number(/\[(\d+)\]$/.exec(path)?.[1] ?? 0);
  const name = names[index] ?? "";
  const place = childOf(path, "name");
  const nameErrors =
    name === ""
      ? [requiredValue(place)]
      : qualifiedNameProblems(name).map((detail) => invalidValue(place, name, detail));
  const isDuplicate = name !== "" && names.indexOf(name) < index;
  return [
    ...validateExpression(compiled, path, ""),
    ...nameErrors,
    ...(isDuplicate ? [duplicateValue(place, name)] : []),
  ];
}

function validateVariable(compiled: CompiledVariable, path: string): FieldError[] {
  const { name } = compiled;
  const place = childOf(path, "name");
  const nameErrors = isIdentifier(name) ? [] : [invalidValue(place, name, "must be a valid CEL identifier")];
  return [
    ...(name === "" ? [requiredValue(place, "name is not specified")] : nameErrors),
    ...validateExpression(compiled, path, "expression is not specified"),
  ];
}

function validateValidation(policy: UnstructuredObject, compiled: CompiledValidation, index: number): FieldError[] {
  const raw = listAt(policy, "spec", "validations")[index];
  const path = elementOf("spec.validations", index);
  const { message: program } = compiled;
  const message = stringAt(raw, "message");
  const reason = stringAt(raw, "reason");
  const place = childOf(path, "message");
  return [
    ...validateExpression(compiled, path, "expression is not specified"),
    ...(program?.problem === undefined
      ? []
      : [invalidValue(childOf(path, "messageExpression"), program.expression, program.problem)]),
    ...(message !== "" && message.trim() === ""
      ? [invalidValue(place, message, "must be non-empty if specified")]
      : []),
    ...(message.trim().includes("\n") ? [invalidValue(place, message, "must not contain line breaks")] : []),
    ...(reason === "" || reasons.includes(reason) ? [] : [unsupportedValue(childOf(path, "reason"), reason, reasons)]),
  ];
}

/** The key of an audit annotation has the name of the policy in front. */
function validateAudit(
  policy: UnstructuredObject,
  compiled: CompiledExpression | undefined,
  index: number,
): FieldError[] {
  const keys = listAt(policy, "spec", "auditAnnotations").map((annotation) => stringAt(annotation, "key"));
  const key = keys[index] ?? "";
  const path = elementOf("spec.auditAnnotations", index);
  const place = childOf(path, "key");
  const { name = "" } = policy.metadata;
  const full = name === "" ? key : `${name}/${key}`;
  const problem = compiled?.problem;
  return [
    ...qualifiedNameProblems(full).map((detail) => invalidValue(place, key, detail)),
    ...(key !== "" && keys.indexOf(key) < index ? [duplicateValue(place, key)] : []),
    ...(compiled === undefined || problem === undefined || compiled.expression === ""
      ? []
      : [invalidValue(childOf(path, "valueExpression"), compiled.expression, problem)]),
  ];
}

const reasons = ["Forbidden", "Invalid", "RequestEntityTooLarge"];

function validateExpression({ expression, problem }: CompiledExpression, path: string, missing: string): FieldError[] {
  const place = childOf(path, "expression");
  if (expression.trim() === "") {
    return [requiredValue(place, missing)];
  }
  return problem === undefined ? [] : [invalidValue(place, expression, problem)];
}
