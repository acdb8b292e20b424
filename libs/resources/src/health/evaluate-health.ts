import type { HealthRule, UnstructuredObject } from "@landscaper/api";
import { describeConditions } from "../readiness/conditions.ts";
import { isOutdated } from "../readiness/kstatus.ts";
import { current, failed, inProgress, type KStatus } from "../readiness/kstatus-result.ts";
import { evaluatorFor, type Evaluated } from "./health-expressions.ts";

/** Returns the health of the object by the first matching rule; undefined if no rule matches (docs/reference/health-rules.md#evaluation). Pure. */
export function evaluateHealth(object: UnstructuredObject, rules: readonly HealthRule[]): KStatus | undefined {
  const evaluate = evaluatorFor(object);
  const holds = (expression: string | undefined): boolean => expression !== undefined && isTrue(evaluate(expression));
  const rule = rules.find(({ match }) => match === undefined || holds(match));
  if (rule === undefined) return undefined;
  if (holds(rule.paused)) return current;
  if (isOutdated(object)) return inProgress("its controller has not seen the last change yet");
  const by = `by health rule ${rule.name}`;
  const conditions = describeConditions(object);
  const details = conditions === "" ? "" : `: ${conditions}`;
  if (holds(rule.inProgress)) return inProgress(`is in progress ${by}${details}`);
  if (holds(rule.failed)) return failed(`has failed ${by}${details}`);
  const result = evaluate(rule.current);
  if (isTrue(result)) return current;
  return inProgress(`is not current ${by}${"problem" in result ? `: ${result.problem}` : details}`);
}

/** Returns why the object does not fulfil an expression; undefined if it does. Pure. */
export function explainExpression(object: UnstructuredObject, expression: string): string | undefined {
  const result = evaluatorFor(object)(expression);
  if (isTrue(result)) return undefined;
  return "problem" in result ? `cel cannot be evaluated: ${result.problem}` : "cel is false";
}

/** An expression that cannot be evaluated, for example because a field does not exist yet, is not true. */
function isTrue(result: Evaluated): boolean {
  return "value" in result && result.value;
}
