import { EvaluationError, ParseError, TypeError as CelTypeError } from "@marcbachmann/cel-js";
import { restoreNames } from "./expression-tokens.ts";

type CelError = EvaluationError | ParseError | CelTypeError;

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

/** What cel-go prints about an expression that does not compile: message, source line and a pointer to the place. */
export function describeCompileError(error: CelError, expression: string): string {
  const position = positionOf(error, expression);
  const before = expression.slice(0, position);
  const line = before.split("\n").length;
  const column = position - (before.lastIndexOf("\n") + 1);
  const source = expression.split("\n")[line - 1]?.replaceAll("\t", " ") ?? "";
  const message =
    error instanceof ParseError ? `Syntax error: ${restoreNames(error.summary)}` : describeTypeError(error);
  return `ERROR: <input>:${line}:${column + 1}: ${message}\n | ${source}\n | ${".".repeat(column)}^`;
}

function describeTypeError({ code, summary }: CelError): string {
  const text = restoreNames(summary);
  switch (code) {
    case "no_such_key":
      return `undefined field '${text.replace(/^No such key: /, "")}'`;
    case "unknown_variable":
      return `undeclared reference to '${text.replace(/^Unknown variable: /, "")}' (in container '')`;
    case "no_such_overload": {
      const [, left = "", operator = "", right = ""] = /^no such overload: (.*) (\S+) (.*)$/.exec(text) ?? [];
      return operator === "" ? text : `found no matching overload for '_${operator}_' applied to '(${left}, ${right})'`;
    }
    default:
      return text;
  }
}

/** cel-go points at operators and at the dot of a field access. */
function positionOf(error: CelError, expression: string): number {
  const { node, range } = error;
  const start = range?.start ?? 0;
  if (node?.op === "." && expression[start - 1] === ".") {
    return start - 1;
  }
  const operands: unknown = node?.args;
  const first: unknown = Array.isArray(operands) ? operands[0] : undefined;
  const isBinary = error.code === "no_such_overload" && typeof first === "object" && first !== null && "end" in first;
  if (!isBinary || typeof first.end !== "number") {
    return start;
  }
  return first.end + (/^[\s)]*/.exec(expression.slice(first.end))?.[0].length ?? 0);
}
