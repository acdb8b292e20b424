import { printExpression, printPath } from "../syntax/print-expression.ts";
import type { Expression, Projection } from "../syntax/expression.ts";
import { completeList, listOf } from "../value/build-value.ts";
import type { Cell } from "../value/cell.ts";
import { undefinedValue, typeName, type Value } from "../value/value.ts";
import { compareStrings } from "@landscaper/goyaml";
import type { Environment } from "./environment.ts";
import { evaluate } from "./evaluate.ts";
import { failLocally, known, quoting } from "./failure.ts";
import { completeShape, valueOf } from "./force.ts";
import { walk } from "./resolve-reference.ts";
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
  const start = bound(evaluate(from, environment), "start");
  const end = bound(evaluate(to, environment), "end");
  const step = start <= end ? 1n : -1n;
  const count = Number((end - start) * step) + 1;
  environment.document.budget.charge(count);
  return listOf(Array.from({ length: count }, (_, index) => start + step * BigInt(index)));
}

function bound(value: Value, noun: string): bigint {
  if (value === null) return 0n;
  return typeof value === "bigint" ? value : failLocally(`range ${noun} must be an integer`);
}

/** `E[*].f`, `E[1..2].f`; maps project in the order of their keys. */
export function evaluateProjection(expression: Projection, environment: Environment): Value {
  const base = evaluate(expression.base, environment);
  const cells = projected(base, expression, environment);
  environment.document.budget.charge(cells.length);
  if (expression.rest.length === 0) return completeList([...cells]);
  return listOf(cells.map((cell) => walk(cell.value, expression.rest, 0)));
}

function projected(base: Value, { range }: Projection, environment: Environment): readonly Cell[] {
  if (typeof base === "object" && base?.kind === "map" && range === undefined) {
    return [...base.cells].toSorted(([a], [b]) => compareStrings(a, b)).map(([, cell]) => cell);
  }
  if (typeof base !== "object" || base?.kind !== "list") {
    return failLocally(
      `${range === undefined ? "projection" : "slice"} requires ${range === undefined ? "list or map" : "list"}, found '${typeName(base)}'`,
    );
  }
  if (range === undefined) return base.items;
  const { length } = base.items;
  const from = range.from === undefined ? 0 : fromEnd(evaluate(range.from, environment), length);
  const to = range.to === undefined ? length - 1 : fromEnd(evaluate(range.to, environment), length);
  if (from > to) return [];
  if (to >= length) return failLocally(quoting`slice out of range (${to} >= length ${length})`);
  if (from < 0) return failLocally(quoting`slice out of range (${from} < 0)`);
  return base.items.slice(from, to + 1);
}

function fromEnd(value: Value, length: number): number {
  if (typeof value !== "bigint") return failLocally("slice bounds must be integers");
  return value < 0n ? length + Number(value) : Number(value);
}
