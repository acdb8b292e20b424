import type { Expression } from "../syntax/expression.ts";
import { printExpression } from "../syntax/print-expression.ts";
import type { Source } from "../document/source.ts";
import { Cell } from "../value/cell.ts";
import type { Value } from "../value/value.ts";
import { pathNames, type Environment } from "./environment.ts";
import { computeControl, evaluate, evaluateShallow } from "./engine.ts";
import { printSource, unresolvedBelow } from "./evaluate-document.ts";
import {
  BudgetFailure,
  EvaluationFailure,
  failLocally,
  issueOf,
  known,
  quoting,
  type Failure,
  type Issue,
  type Message,
} from "./failure.ts";
import { requireDeep } from "./force.ts";
import { instantiate } from "./instantiate.ts";

/** `*ref`: a copy of a template, evaluated here; `_` in it is the template, `_.x` a name around its definition. */
export function instantiateTemplate(operand: Expression, environment: Environment): Value {
  const template = evaluateShallow(operand, environment);
  if (typeof template !== "object" || template?.kind !== "template") return failLocally("template value required");
  const { source, definition } = template;
  const instances = countInstance(environment);
  const names = new Map([["_", new Cell(template)]]);
  const scope = { kind: "bindings", names, parent: environment.scope, definition } as const;
  const inner = { ...environment, scope, instances };
  return environment.document.budget.descend(() =>
    evaluateSource(source, inner, { what: known(`template '${printExpression(operand)}'`) }),
  );
}

/** How many templates are in evaluation with one more within the others, which is paid for. */
export function countInstance({ document: { budget }, instances = 0 }: Environment): number {
  if (instances >= budget.maxDepth) throw new BudgetFailure(`more than ${budget.maxDepth} templates within templates`);
  budget.chargeEntries(1);
  return instances + 1;
}

/** How messages call a part of a document, and the document that it is from. */
export interface SourceName {
  readonly what?: Message;
  readonly document?: Message;
}

/** The complete value of a part of a document as it comes out here. A mistake in it is one of the expression that asks. */
export function evaluateSource(source: Source, environment: Environment, named: SourceName = {}): Value {
  const { what = known("template"), document = known(environment.document.name) } = named;
  let value: Value | undefined;
  try {
    value = openSource(source, environment);
    return requireDeep(value, "template");
  } catch (error) {
    if (!(error instanceof EvaluationFailure)) throw error;
    const nodes =
      value === undefined ? [{ source, environment, failure: error.failure }] : failedBelow(value, source, environment);
    if (!nodes.some(({ failure: { tag } }) => tag === "*" || tag === "")) throw error;
    const issues = nodes.map((node) => nodeIssue(node, environment, document));
    return failLocally(quoting`resolution of ${what} failed`, issues);
  }
}

function failedBelow(value: Value, source: Source, environment: Environment): readonly FailedNode[] {
  return unresolvedBelow(value, { source, environment }).map(({ cell, failure }) => {
    const at = failure.at ?? cell;
    return { source: at.source, environment: at.environment ?? environment, failure };
  });
}

interface FailedNode {
  readonly source: Source | undefined;
  readonly environment: Environment;
  readonly failure: Failure;
}

/** A node as messages show it: its path within the template, and its path in stubs. */
function nodeIssue({ source, environment, failure }: FailedNode, template: Environment, document: Message): Issue {
  const path = pathNames(environment.path).slice(pathNames(template.path).length).join(".");
  const stubPath = source?.kind === "expression" ? pathNames(environment.stubPath).join(".") : "";
  const { tag, issue } = failure;
  const message = quoting`${known(printNode(source))}\tin ${document}\t${known(`${path}\t(${stubPath})${tag}`)}${issue}`;
  return { ...issueOf(message, issue.nested), isNode: true };
}

/** The value of a template marker stands in parentheses. */
function printNode(source: Source | undefined): string {
  if (source?.kind !== "expression") return printSource(source);
  const { whole, expression } = source.parsed;
  const isMarked = whole?.kind === "marked" && whole.markers.includes("template") && expression !== undefined;
  return isMarked ? `(( ${printExpression({ kind: "group", inner: expression })} ))` : printSource(source);
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
      // Stubs change what is in its branches, but do not take its place.
      cell.hasMerged = true;
      return computeControl(cell, source, environment);
    }
  }
}
