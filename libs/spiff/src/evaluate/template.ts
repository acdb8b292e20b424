import type { Expression } from "../syntax/expression.ts";
import type { Source } from "../document/source.ts";
import { Cell } from "../value/cell.ts";
import type { Value } from "../value/value.ts";
import { computeControl } from "./control.ts";
import { withBindings, type Environment } from "./environment.ts";
import { evaluate, evaluateShallow } from "./evaluate.ts";
import { BudgetFailure, failLocally } from "./failure.ts";
import { requireDeep } from "./force.ts";
import { instantiate } from "./instantiate.ts";

/** `*ref`: a copy of a template, evaluated here (spiff.md §3.8); `_` in it is the map where it was defined. */
export function instantiateTemplate(operand: Expression, environment: Environment): Value {
  const template = evaluateShallow(operand, environment);
  if (typeof template !== "object" || template?.kind !== "template") return failLocally("template value required");
  const { source, home } = template;
  const { budget } = environment.document;
  const instances = (environment.instances ?? 0) + 1;
  if (instances > budget.maxDepth) throw new BudgetFailure(`more than ${budget.maxDepth} templates within templates`);
  budget.chargeEntries(1);
  const names = new Map(home === undefined ? [] : [["_", new Cell(home)]]);
  const inner = { ...withBindings(environment, names), instances };
  return budget.descend(() => evaluateSource(source, inner));
}

/** The complete value of a part of a document as it comes out here. */
export function evaluateSource(source: Source, environment: Environment): Value {
  switch (source.kind) {
    case "scalar":
      return source.value;
    case "expression":
      if (source.parsed.problem !== undefined) return failLocally(source.parsed.problem);
      return source.parsed.expression === undefined ? null : evaluate(source.parsed.expression, environment);
    case "map":
    case "list":
      return requireDeep(instantiate(source, environment), "template");
    case "control": {
      const cell = new Cell(null, { source, environment });
      return requireDeep(computeControl(cell, source, environment), "template");
    }
  }
}
