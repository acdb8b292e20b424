import type { Argument, Sync } from "../../syntax/expression.ts";
import { mapOf } from "../../value/build-value.ts";
import type { LambdaValue, Value } from "../../value/value.ts";
import { call, lambdaOf } from "./comprehension.ts";
import { withBindings, type Environment } from "../environment.ts";
import { evaluate } from "../engine.ts";
import { EvaluationFailure, failLocally } from "../failure.ts";
import { attempt } from "../attempt.ts";

const conditionUse = {
  missing: "sync condition must evaluate to a lambda value",
  min: 1,
  max: 2,
  wrongCount: (count: number) => `lambda expression for sync condition must take one or two arguments, found ${count}`,
} as const;
const valueUse = {
  missing: "sync value expression must evaluate to lambda expression",
  min: 1,
  max: 2,
  wrongCount: (count: number) => `lambda expression for sync value must take one or two arguments, found ${count}`,
} as const;

/**
 * `sync[E|v,e|-> condition, value|timeout]`: E has one value here, whenever it is asked. So the condition is tried
 * once, and when it does not hold there is nothing to wait for.
 */
export function evaluateSync(expression: Sync, environment: Environment): Value {
  const condition = lambdaOf(expression.condition, environment, conditionUse);
  const lambda = expression.value === undefined ? undefined : lambdaOf(expression.value, environment, valueUse);
  const timeout = expression.timeout === undefined ? 0n : evaluate(expression.timeout, environment);
  if (typeof timeout !== "bigint") return failLocally("integer operand required");
  const result = attempt(expression.operand, environment);
  const apply = (called: LambdaValue): Value => call(called, argumentsOf(called, result), environment);
  if (!isMet(apply(condition), result)) return null;
  return lambda === undefined ? valueOf(result) : apply(lambda);
}

type Attempt = ReturnType<typeof attempt>;

function valueOf(result: Attempt): Value {
  return "value" in result ? result.value : null;
}

function argumentsOf(lambda: LambdaValue, result: Attempt): readonly Value[] {
  const value = valueOf(result);
  return lambda.parameters.length > 1 ? [value, "issue" in result ? result.issue.text : ""] : [value];
}

/** Throws when the condition does not hold. */
function isMet(condition: Value, result: Attempt): boolean {
  if (typeof condition !== "boolean") return failLocally("condition must evaluate to bool");
  if (condition) return true;
  if ("issue" in result) throw new EvaluationFailure({ tag: "*", issue: result.issue });
  return failLocally("sync condition does not hold, and nothing can change that");
}

/** `sync(E, condition, value, timeout)`: condition and value see `value`, `error` and `valid`. */
export function syncValue(args: readonly Argument[], environment: Environment): Value {
  const [operand, condition, ...more] = args.map((argument) => argument.value);
  if (operand === undefined || condition === undefined || args.length > 4) {
    return failLocally("2 or 3 arguments required for sync");
  }
  const [value, timeout] = more;
  if (timeout !== undefined && typeof evaluate(timeout, environment) !== "bigint") {
    return failLocally("integer operand required");
  }
  const result = attempt(operand, environment);
  const text = "issue" in result ? result.issue.text : "";
  const names = mapOf([
    ["error", text],
    ["valid", text === ""],
    ...("value" in result ? ([["value", result.value]] as const) : []),
  ]).cells;
  const inner = withBindings(environment, names);
  const met = evaluate(condition, inner);
  const isLambda = typeof met === "object" && met?.kind === "lambda";
  if (!isMet(isLambda ? call(met, argumentsOf(met, result), inner) : met, result)) return null;
  return value === undefined ? valueOf(result) : evaluate(value, inner);
}
