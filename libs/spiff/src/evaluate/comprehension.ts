import { compareStrings } from "@landscaper/goyaml";
import type { Comprehension, Expression } from "../syntax/expression.ts";
import { completeMap, listOf } from "../value/build-value.ts";
import { Cell } from "../value/cell.ts";
import { isTrue, typeName, undefinedValue, type LambdaValue, type Value } from "../value/value.ts";
import type { Environment } from "./environment.ts";
import { evaluate } from "./evaluate.ts";
import { failLocally } from "./failure.ts";
import { callLambda } from "./lambda.ts";
import { attempt } from "./look-functions.ts";

interface Entry {
  readonly key: string | bigint;
  readonly value: Value;
}

/** `map[..]`, `select[..]`, `filter[..]`, `sum[..]` and the forms with braces (spiff.md §3.8). */
export function evaluateComprehension(expression: Comprehension, environment: Environment): Value {
  const source = evaluate(expression.source, environment);
  const entries = entriesOf(source, expression);
  environment.document.budget.charge(entries.length);
  if (expression.form === "sum") return sum(expression, entries, environment);
  const lambda = lambdaOf(expression.lambda, environment, 2);
  const apply = ({ key, value }: Entry): Value =>
    call(lambda, lambda.parameters.length > 1 ? [key, value] : [value], environment);
  const isMapping = expression.form === "map";
  const kept: Entry[] = [];
  for (const entry of entries) {
    const result = apply(entry);
    if (!isMapping) {
      if (isTrue(result)) kept.push(entry);
    } else if (result !== null && result !== undefinedValue) kept.push({ key: entry.key, value: result });
  }
  if (expression.target === "list") return listOf(kept.map((entry) => entry.value));
  return completeMap(new Map(kept.map((entry) => [keyOf(entry, source), new Cell(entry.value)] as const)));
}

/** `map{[strings]|..}`: the strings are the keys. */
function keyOf({ key }: Entry, source: Value): string {
  if (typeof key === "string") return key;
  const name = typeof source === "object" && source?.kind === "list" ? source.items[Number(key)]?.value : undefined;
  return typeof name === "string" ? name : failLocally("map mapping requires list of strings");
}

function entriesOf(source: Value, expression: Comprehension): Entry[] {
  if (source === null || source === undefinedValue) return [];
  if (typeof source === "object" && source.kind === "list") {
    return source.items.map((cell, index) => ({ key: BigInt(index), value: cell.value }));
  }
  if (typeof source === "object" && source.kind === "map") {
    const cells = [...source.cells].toSorted(([a], [b]) => compareStrings(a, b));
    return cells.map(([key, cell]) => ({ key, value: cell.value }));
  }
  const noun = expression.form === "sum" ? "aggregation" : "mapping";
  return failLocally(`map or list required for ${noun}, found '${typeName(source)}'`);
}

function sum(expression: Comprehension, entries: readonly Entry[], environment: Environment): Value {
  let total = expression.initial === undefined ? null : evaluate(expression.initial, environment);
  const lambda = lambdaOf(expression.lambda, environment, 3);
  for (const { key, value } of entries) {
    total = call(lambda, lambda.parameters.length > 2 ? [total, key, value] : [total, value], environment);
  }
  return total;
}

export function lambdaOf(expression: Expression, environment: Environment, maxParameters: number): LambdaValue {
  const lambda = evaluate(expression, environment);
  if (typeof lambda !== "object" || lambda?.kind !== "lambda") {
    return failLocally(`lambda value required, found '${typeName(lambda)}'`);
  }
  const count = lambda.parameters.length;
  if (count < 1 || count > maxParameters) {
    return failLocally(`mapping expression takes 1 to ${maxParameters} arguments, found ${count}`);
  }
  return lambda;
}

export function call(lambda: LambdaValue, positional: readonly Value[], environment: Environment): Value {
  return callLambda(lambda, { positional, named: new Map() }, environment);
}

/** `catch[E|v,e|-> F]`: v is the value or undefined, e the error text. */
export function evaluateCatch(expression: Extract<Expression, { kind: "catch" }>, environment: Environment): Value {
  const result = attempt(expression.operand, environment);
  const lambda = lambdaOf(expression.lambda, environment, 2);
  const value = "value" in result ? result.value : undefinedValue;
  const text = "issue" in result ? result.issue.text : "";
  return call(lambda, lambda.parameters.length > 1 ? [value, text] : [value], environment);
}
