import { printExpression, printPath } from "../../syntax/print-expression.ts";
import type { Expression, Projection } from "../../syntax/expression.ts";
import { completeList, listOf } from "../../value/build-value.ts";
import type { Cell } from "../../value/cell.ts";
import { undefinedValue, type Value } from "../../value/value.ts";
import { compareStrings } from "@landscaper/goyaml";
import type { Environment } from "../environment.ts";
import { evaluate } from "../engine.ts";
import { failLocally, known, quoting } from "../failure.ts";
import { completeShape, valueOf } from "../force.ts";
import { walk } from "./walk.ts";
import { stepInto } from "./step-into.ts";

/** `(E).a.b`. */
export function evaluateSelection(base: Value, expression: Extract<Expression, { kind: "qualified" }>): Value {
  return walk(base, expression.path, 0);
}

/** `E[i]`, `E[i, j]`: text selects a field, an int an entry, a list a path. */
export function selectDynamic(
  start: Value,
  indices: readonly Value[],
  expression: Extract<Expression, { kind: "dynamic" }>,
): Value {
  const steps = indices.flatMap((index) => stepsOf(index));
  const path: string[] = [];
  let value = start;
  for (const step of steps) {
    path.push(step);
    if (typeof value === "object" && (value?.kind === "map" || value?.kind === "list")) {
      completeShape(value, printExpression(expression.base));
    }
    if (step.startsWith("[") && (typeof value !== "object" || value?.kind !== "list")) {
      return failLocally("index requires array expression");
    }
    const cell = stepInto(value, step);
    if (cell === undefined) return failLocally(quoting`'${printPath(path)}' not found`);
    value = valueOf(cell, quoting`${known(printExpression(expression.base))}.${printPath(path)}`);
    if (value === undefinedValue) return failLocally(quoting`'${printPath(path)}' not found`);
  }
  return value;
}

function stepsOf(index: Value): string[] {
  if (typeof index === "string") return [index];
  if (typeof index === "bigint") return [`[${index}]`];
  if (typeof index === "object" && index?.kind === "list") return index.items.flatMap((item) => stepsOf(item.value));
  return failLocally("index or field name required for reference qualifier");
}

/** `[a..b]`, also downwards; null counts as 0. */
export function evaluateRange(from: Expression, to: Expression, environment: Environment): Value {
  const start = rangeBound(evaluate(from, environment));
  const end = rangeBound(evaluate(to, environment));
  const step = start <= end ? 1n : -1n;
  const count = Number((end - start) * step) + 1;
  environment.document.budget.chargeEntries(count);
  return listOf(Array.from({ length: count }, (_, index) => start + step * BigInt(index)));
}

function rangeBound(value: Value): bigint {
  if (value === null) return 0n;
  return typeof value === "bigint" ? value : failLocally("integer operand required");
}

/** `E[*].f`, `E[1..2].f`; maps project in the order of their keys. */
export function evaluateProjection(expression: Projection, environment: Environment): Value {
  const base = evaluate(expression.base, environment);
  const cells = projected(base, expression, environment);
  environment.document.budget.charge(cells.length);
  const { each } = expression;
  if (each === undefined) return completeList([...cells]);
  return listOf(cells.map(({ value: element }) => evaluate(each, { ...environment, element })));
}

function projected(base: Value, { range }: Projection, environment: Environment): readonly Cell[] {
  if (typeof base === "object" && base?.kind === "map" && range === undefined) {
    return [...base.cells].toSorted(([a], [b]) => compareStrings(a, b)).map(([, cell]) => cell);
  }
  if (typeof base !== "object" || base?.kind !== "list") {
    return failLocally(
      range === undefined ? "only map or list allowed for projection" : "slice requires array expression",
    );
  }
  if (range === undefined) return base.items;
  const { length } = base.items;
  const first = bound(range.from, environment) ?? 0;
  const last = bound(range.to, environment) ?? length - 1;
  if (range.from !== undefined && range.to !== undefined && first < 0 !== last < 0) {
    return failLocally("mixed negative and non-negative range not possible for slice");
  }
  const from = first < 0 ? length + first : first;
  const to = last < 0 ? length + last : last;
  if (from > to) return [];
  if (to >= length) return failLocally(quoting`slice out of range (${to} >= length ${length})`);
  if (from < 0) return failLocally(quoting`slice out of range (${from} < 0)`);
  return base.items.slice(from, to + 1);
}

function bound(expression: Expression | undefined, environment: Environment): number | undefined {
  if (expression === undefined) return undefined;
  const value = evaluate(expression, environment);
  return typeof value === "bigint" ? Number(value) : failLocally("slice bounds must be integers");
}
