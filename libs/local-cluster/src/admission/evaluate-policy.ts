import { describeEvaluationError, isCelError, toDynamicValue } from "@landscaper/cel";
import type { AdmissionPolicy } from "./admission-policy.ts";
import type { CompiledPolicy, CompiledValidation } from "./compile-policy.ts";
import type { CompiledExpression } from "./compile-typed.ts";
import type { PolicyRequest } from "./policy-request.ts";
import { toRequestVariables } from "./request-variables.ts";

/** Why a policy does not accept a request. */
export interface PolicyFailure {
  readonly message: string;
  readonly reason: string;
}

/** Evaluates the conditions and validations of a policy that matches a request. */
export function evaluatePolicy(compiled: CompiledPolicy, request: PolicyRequest): PolicyFailure[] {
  const { policy, types, variables } = compiled;
  const values = {
    object: toDynamicValue(request.object),
    oldObject: toDynamicValue(request.oldObject),
    ...toRequestVariables(types, request),
  };
  const matching = evaluateConditions(compiled, { ...values, namespaceObject: types.namespace.absent });
  if (matching !== "matches") {
    return matching === undefined ? [] : failure(policy, matching);
  }
  const scope = { ...values, variables: variables.bind(values) };
  return compiled.validations.flatMap((validation) => evaluateValidation(policy, validation, scope));
}

/** Whether the match conditions of a policy or webhook hold: "matches", undefined if they do not, or the texts of errors. */
export function evaluateMatch(compiled: CompiledPolicy, request: PolicyRequest): string | undefined {
  const { types } = compiled;
  return evaluateConditions(compiled, {
    object: toDynamicValue(request.object),
    oldObject: toDynamicValue(request.oldObject),
    ...toRequestVariables(types, request),
    namespaceObject: types.namespace.absent,
  });
}

type Values = Readonly<Record<string, unknown>>;

/** An error counts as the failure policy says. */
function failure(policy: AdmissionPolicy, message: string): PolicyFailure[] {
  return policy.failurePolicy === "Ignore" ? [] : [{ message, reason: "Invalid" }];
}

/** "matches", undefined when the policy does not apply, or the texts of errors. One false condition outweighs errors of others. */
function evaluateConditions({ matchConditions }: CompiledPolicy, values: Values): string | undefined {
  const outcomes = matchConditions.map((condition) => evaluate(condition, values));
  if (outcomes.some((outcome) => "value" in outcome && outcome.value === false)) {
    return undefined;
  }
  const problems = outcomes.flatMap((outcome) => ("problem" in outcome ? [outcome.problem] : []));
  if (problems.length === 0) {
    return "matches";
  }
  return problems.length === 1 ? problems[0] : `[${problems.join(", ")}]`;
}

function evaluateValidation(policy: AdmissionPolicy, compiled: CompiledValidation, values: Values): PolicyFailure[] {
  const outcome = evaluate(compiled, values);
  if ("problem" in outcome) {
    return failure(policy, outcome.problem);
  }
  if (outcome.value === true) {
    return [];
  }
  const { message, reason, expression } = compiled.validation;
  const text = evaluateMessage(compiled, values) || message.trim() || `failed expression: ${expression.trim()}`;
  return [{ message: text, reason }];
}

/** The result of messageExpression; "" when it gives no usable text. */
function evaluateMessage({ message }: CompiledValidation, values: Values): string {
  const outcome = message === undefined ? { value: "" } : evaluate(message, values);
  const text = "value" in outcome && typeof outcome.value === "string" ? outcome.value.trim() : "";
  return text.includes("\n") || Buffer.byteLength(text) > 5 * 1024 ? "" : text;
}

type Outcome = { readonly value: unknown } | { readonly problem: string };

function evaluate({ expression, program, problem }: CompiledExpression, values: Values): Outcome {
  if (program === undefined) {
    return { problem: `compilation error: ${problem ?? ""}` };
  }
  try {
    return { value: program.evaluate(values) };
  } catch (error) {
    if (!isCelError(error)) {
      throw error;
    }
    return { problem: `expression '${expression}' resulted in error: ${describeEvaluationError(error)}` };
  }
}
