import { EvaluationError, ParseError, TypeError as CelTypeError } from "@marcbachmann/cel-js";
import { restoreNames } from "./expression-tokens.ts";

export type CelError = EvaluationError | ParseError | CelTypeError;

export function isCelError(error: unknown): error is CelError {
  return error instanceof EvaluationError || error instanceof ParseError || error instanceof CelTypeError;
}

/** What cel-go says about a failed evaluation, where the two libraries differ in words. */
export function describeEvaluationError(error: CelError): string {
  const { code, summary } = error;
  const text = restoreNames(summary);
  switch (code) {
    case "no_such_key":
      return text.replace(/^No such key: /, "no such key: ");
    case "index_out_of_bounds":
      return `index out of bounds: ${/index (-?\d+)/.exec(text)?.[1] ?? ""}`;
    case "no_such_overload":
    case "no_matching_overload":
    case "invalid_logical_operand":
    case "invalid_condition_type":
      return "no such overload";
    case "modulo_by_zero":
      return "modulus by zero";
    default:
      return text;
  }
}

/** Whether the values had other types than the expression needs, which only shows at run time for dynamic values. */
export function isOverloadError(error: CelError): boolean {
  return describeEvaluationError(error) === "no such overload";
}
