import type { Sync } from "../syntax/expression.ts";
import type { LambdaValue, Value } from "../value/value.ts";
import { call, lambdaOf } from "./comprehension.ts";
import type { Environment } from "./environment.ts";
import { evaluate } from "./evaluate.ts";
import { EvaluationFailure, failLocally } from "./failure.ts";
import { attempt } from "./look-functions.ts";

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
  const value = "value" in result ? result.value : null;
  const text = "issue" in result ? result.issue.text : "";
  const apply = (called: LambdaValue): Value =>
    call(called, called.parameters.length > 1 ? [value, text] : [value], environment);
  const isMet = apply(condition);
  if (typeof isMet !== "boolean") return failLocally("condition must evaluate to bool");
  if (isMet) return lambda === undefined ? value : apply(lambda);
  if ("issue" in result) throw new EvaluationFailure({ tag: "*", issue: result.issue });
  return failLocally("sync condition does not hold, and nothing can change that");
}
