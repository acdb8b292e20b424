import type { HealthRule, UnstructuredObject } from "@landscaper/api";
import type { KStatus } from "../readiness/kstatus-result.ts";
import { evaluateHealth, explainExpression } from "./evaluate-health.ts";
import { compileHealthExpression } from "./health-expressions.ts";

/** Task of the thread. */
export type HealthTask =
  | { readonly type: "rules"; readonly object: UnstructuredObject; readonly rules: readonly HealthRule[] }
  | { readonly type: "expression"; readonly object: UnstructuredObject; readonly expression: string }
  /** Expressions by their places. */
  | { readonly type: "compile"; readonly expressions: readonly (readonly [string, string])[] };

export interface HealthResults {
  readonly rules: KStatus | undefined;
  /** Why the object does not fulfil the expression. */
  readonly expression: string | undefined;
  readonly compile: undefined;
}

export function performHealthTask(task: HealthTask): HealthResults[HealthTask["type"]] {
  switch (task.type) {
    case "rules":
      return evaluateHealth(task.object, task.rules);
    case "expression":
      return explainExpression(task.object, task.expression);
    case "compile":
      for (const [place, expression] of task.expressions) compileHealthExpression(expression, place);
      return undefined;
  }
}
