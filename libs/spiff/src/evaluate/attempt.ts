import type { Expression } from "../syntax/expression.ts";
import type { Value } from "../value/value.ts";
import { evaluate } from "./engine.ts";
import type { Environment } from "./environment.ts";
import { EvaluationFailure, type Issue } from "./failure.ts";

/** The value of an expression, or why it has none; what is merely pending is passed on. */
export function attempt(expression: Expression, environment: Environment): { value: Value } | { issue: Issue } {
  try {
    return { value: evaluate(expression, environment) };
  } catch (error) {
    if (!(error instanceof EvaluationFailure) || !error.isLocal) throw error;
    return { issue: error.failure.issue };
  }
}
