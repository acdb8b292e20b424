import type { ExpressionSource, Source } from "../document/source.ts";
import type { Cell } from "../value/cell.ts";
import { TemplateValue, undefinedValue, type MapValue, type Value } from "../value/value.ts";
import { isMerged, pathNames, type Environment } from "./environment.ts";
import { evaluate } from "./evaluate.ts";
import { failLocally } from "./failure.ts";
import { instantiate } from "./instantiate.ts";
import { findInStubs } from "./stubs.ts";

/** The value of a node of a document: the first stub's, or its own. Throws EvaluationFailure. */
export function computeCell(cell: Cell, source: Source, environment: Environment): Value {
  if (source.markers?.isTemplate === true) return new TemplateValue(withoutMarkers(source), homeOf(environment));
  switch (source.kind) {
    case "scalar":
      return overridden(cell, environment) ?? source.value;
    case "expression":
      return computeExpression(cell, source, environment);
    case "map":
    case "list":
      return instantiate(source, environment);
  }
}

function computeExpression(cell: Cell, source: ExpressionSource, environment: Environment): Value {
  const { expression } = source;
  if (source.problem !== undefined) failLocally(source.problem);
  const kind = expression?.kind;
  if (kind !== "merge" && kind !== "prefer") {
    const override = overridden(cell, environment);
    if (override !== undefined) return override;
  }
  if (expression === undefined) return null;
  return evaluate(expression, environment);
}

function overridden(cell: Cell, environment: Environment): Value | undefined {
  if (!isMerged(environment)) return undefined;
  const found = findInStubs(environment.document.stubs, pathNames(environment.stubPath));
  if (found === undefined || found.markers?.isDefault === true) return undefined;
  if (found.markers !== undefined && cell.markers === undefined) cell.markers = found.markers;
  return found.value === undefinedValue ? undefined : found.value;
}

function withoutMarkers(source: Source): Source {
  if (source.kind === "scalar") return source;
  return { ...source, markers: undefined };
}

/** The innermost map around a node. */
export function homeOf(environment: Environment): MapValue | undefined {
  for (let scope = environment.scope; scope !== undefined; scope = scope.parent) {
    if (scope.kind === "map") return scope.map;
  }
  return undefined;
}
