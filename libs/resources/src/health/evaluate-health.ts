import type { HealthRule, UnstructuredObject } from "@landscaper/api";
import { describeConditions } from "../readiness/conditions.ts";
import { current, failed, inProgress, type KStatus } from "../readiness/kstatus-result.ts";
import { evaluatorFor, type Evaluated } from "./health-expressions.ts";

/** Where an object is by the first rule that is for it; undefined: none is (docs/reference/health-rules.md#evaluation). Pure. */
export function evaluateHealth(object: UnstructuredObject, rules: readonly HealthRule[]): KStatus | undefined {
  const evaluate = evaluatorFor(object);
  const rule = rules.find(({ match }) => match === undefined || isTrue(evaluate(match)));
  if (rule === undefined) return undefined;
  const { name, inProgress: progressing, failed: failing } = rule;
  const conditions = describeConditions(object);
  const details = conditions === "" ? "" : `: ${conditions}`;
  if (progressing !== undefined && isTrue(evaluate(progressing))) {
    return inProgress(`is in progress by health rule ${name}${details}`);
  }
  if (failing !== undefined && isTrue(evaluate(failing))) return failed(`has failed by health rule ${name}${details}`);
  const result = evaluate(rule.current);
  if (isTrue(result)) return current;
  const problem = "problem" in result ? `: ${result.problem}` : details;
  return inProgress(`is not current by health rule ${name}${problem}`);
}

/** Why the object does not fulfil an expression; undefined: it does. Pure. */
export function explainExpression(object: UnstructuredObject, expression: string): string | undefined {
  const result = evaluatorFor(object)(expression);
  if (isTrue(result)) return undefined;
  return "problem" in result ? `cel has no value: ${result.problem}` : "cel is false";
}

/** What cannot be evaluated, such as a field that is not there yet, is not true. */
function isTrue(result: Evaluated): boolean {
  return "value" in result && result.value;
}
