import type { HealthRule, UnstructuredObject } from "@landscaper/api";
import type { KStatus } from "../readiness/kstatus-result.ts";
import { evaluateHealth, explainExpression } from "./evaluate-health.ts";

/** What the thread is given. */
export type HealthTask =
  | { readonly type: "rules"; readonly object: UnstructuredObject; readonly rules: readonly HealthRule[] }
  | { readonly type: "expression"; readonly object: UnstructuredObject; readonly expression: string };

export interface HealthResults {
  readonly rules: KStatus | undefined;
  /** Why the object does not fulfil the expression. */
  readonly expression: string | undefined;
}

export function performHealthTask(task: HealthTask): HealthResults[HealthTask["type"]] {
  return task.type === "rules"
    ? evaluateHealth(task.object, task.rules)
    : explainExpression(task.object, task.expression);
}
