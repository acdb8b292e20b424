import { printParsed } from "../document/parsed-expression.ts";
import type { Expression } from "../syntax/expression.ts";
import { printExpression } from "../syntax/print-expression.ts";
import type { Source } from "../document/source.ts";
import { Cell } from "../value/cell.ts";
import type { Value } from "../value/value.ts";
import { computeControl } from "./control.ts";
import type { Environment } from "./environment.ts";
import { evaluate, evaluateShallow } from "./evaluate.ts";
import { BudgetFailure, EvaluationFailure, failLocally, issueOf, known, quoting, type Issue } from "./failure.ts";
import { requireDeep } from "./force.ts";
import { instantiate } from "./instantiate.ts";

/** `*ref`: a copy of a template, evaluated here (spiff.md §3.8); `_` in it is the template, `_.x` a name around its definition. */
export function instantiateTemplate(operand: Expression, environment: Environment): Value {
  const template = evaluateShallow(operand, environment);
  if (typeof template !== "object" || template?.kind !== "template") return failLocally("template value required");
  const { source, definition } = template;
  const { budget } = environment.document;
  const instances = (environment.instances ?? 0) + 1;
  if (instances > budget.maxDepth) throw new BudgetFailure(`more than ${budget.maxDepth} templates within templates`);
  budget.chargeEntries(1);
  const names = new Map([["_", new Cell(template)]]);
  const scope = { kind: "bindings", names, parent: environment.scope, definition } as const;
  const inner = { ...environment, scope, instances };
  return budget.descend(() => evaluateSource(source, inner, known(`template '${printExpression(operand)}'`)));
}

/** The nodes of a value that have mistakes of their own. */
function mistakesBelow(value: Value): Issue[] {
  if (typeof value !== "object" || (value?.kind !== "map" && value?.kind !== "list")) return [];
  const cells = value.kind === "map" ? [...value.cells.values()] : value.items;
  return cells.flatMap(({ state, failure, source, value: inner }) => {
    if (state !== "failed") return mistakesBelow(inner);
    if (failure === undefined || failure.tag === "@" || failure.tag === "-") return [];
    const printed = source?.kind === "expression" ? `${printParsed(source.parsed)}: ` : "";
    return [issueOf(quoting`${known(printed)}${failure.issue}`, failure.issue.nested)];
  });
}

/** The complete value of a part of a document as it comes out here. A mistake in it is one of the expression that asks. */
export function evaluateSource(source: Source, environment: Environment, what = known("template")): Value {
  const value = openSource(source, environment);
  try {
    return requireDeep(value, "template");
  } catch (error) {
    if (!(error instanceof EvaluationFailure)) throw error;
    const issues = mistakesBelow(value);
    if (issues.length === 0) throw error;
    return failLocally(quoting`resolution of ${what} failed`, issues);
  }
}

/** The same, but what stands below a map or list is evaluated when it is needed. */
export function openSource(source: Source, environment: Environment): Value {
  switch (source.kind) {
    case "scalar":
      return source.value;
    case "expression":
      if (source.parsed.problem !== undefined) return failLocally(source.parsed.problem);
      return source.parsed.expression === undefined ? null : evaluate(source.parsed.expression, environment);
    case "map":
    case "list":
      return instantiate(source, environment);
    case "control": {
      const cell = new Cell(null, { source, environment });
      return computeControl(cell, source, environment);
    }
  }
}
