import { compareStrings } from "@landscaper/goyaml";
import type { Comprehension, Expression } from "../../syntax/expression.ts";
import { completeMap, listOf } from "../../value/build-value.ts";
import { Cell } from "../../value/cell.ts";
import { isTrue, typeName, undefinedValue, type LambdaValue, type ListValue, type Value } from "../../value/value.ts";
import type { Environment } from "../environment.ts";
import { evaluate } from "../engine.ts";
import { failLocally } from "../failure.ts";
import { callLambda, evaluateLambda } from "./lambda.ts";
import { attempt } from "../attempt.ts";

interface Entry {
  readonly key: string | bigint;
  readonly value: Value;
}

/** `map[..]`, `select[..]`, `filter[..]`, `sum[..]` and the forms with braces. */
export function evaluateComprehension(expression: Comprehension, environment: Environment): Value {
  const source = evaluate(expression.source, environment);
  const entries = entriesOf(source, expression);
  if (expression.target === "map" && expression.form !== "map" && isList(source)) {
    return failLocally(`${expression.form}{} does not support list values`);
  }
  environment.document.budget.chargeEntries(entries.length);
  if (expression.form === "sum") return sum(expression, entries, environment);
  const lambda = lambdaOf(expression.lambda, environment, mapper);
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
  const name = isList(source) ? (source.items[Number(key)]?.value ?? null) : null;
  return typeof name === "string" ? name : failLocally(`list element must be string, but found ${typeName(name)}`);
}

function entriesOf(source: Value, expression: Comprehension): Entry[] {
  if (typeof source === "object" && source?.kind === "list") {
    return source.items.map((cell, index) => ({ key: BigInt(index), value: cell.value }));
  }
  if (typeof source === "object" && source?.kind === "map") {
    const cells = [...source.cells].toSorted(([a], [b]) => compareStrings(a, b));
    return cells.map(([key, cell]) => ({ key, value: cell.value }));
  }
  if (expression.form === "sum") return failLocally("map or list required for sum");
  const brackets = expression.target === "list" ? "[]" : "{}";
  return failLocally(
    `${expression.form}${brackets} does not support ${source === undefinedValue ? "nil" : typeName(source)} values`,
  );
}

function isList(value: Value): value is ListValue {
  return typeof value === "object" && value?.kind === "list";
}

function sum(expression: Comprehension, entries: readonly Entry[], environment: Environment): Value {
  let total = expression.initial === undefined ? null : evaluate(expression.initial, environment);
  const lambda = lambdaOf(expression.lambda, environment, folder);
  for (const { key, value } of entries) {
    total = call(lambda, lambda.parameters.length > 2 ? [total, key, value] : [total, value], environment);
  }
  return total;
}

/** What a lambda is for, as messages say it. */
export interface LambdaUse {
  readonly missing: string;
  readonly min: number;
  readonly max: number;
  /** What is wrong with another count of parameters. */
  readonly wrongCount: (count: number) => string;
}
const mapper: LambdaUse = {
  missing: "mapping requires a lambda value",
  min: 1,
  max: 2,
  wrongCount: (count) =>
    `mapping expression takes ${count === 0 ? "at least one argument" : "a maximum of 2 arguments"}`,
};
const folder: LambdaUse = {
  missing: "sum requires a lambda value",
  min: 2,
  max: 3,
  wrongCount: (count) => `mapping expression take a ${count < 2 ? "minimum of 2" : "maximum of 3"} arguments`,
};
const catcher: LambdaUse = {
  missing: "catch requires a lambda value",
  min: 1,
  max: 2,
  wrongCount: (count) => `catch function takes ${count === 0 ? "at least one argument" : "a maximum of 2 arguments"}`,
};

export function lambdaOf(expression: Expression, environment: Environment, use: LambdaUse): LambdaValue {
  const isInline = expression.kind === "lambda";
  const lambda = isInline ? evaluateLambda(expression, environment, true) : evaluate(expression, environment);
  if (typeof lambda !== "object" || lambda?.kind !== "lambda") return failLocally(use.missing);
  const count = lambda.parameters.length;
  return count < use.min || count > use.max ? failLocally(use.wrongCount(count)) : lambda;
}

const noNames: ReadonlyMap<string, Value> = new Map();

export function call(lambda: LambdaValue, positional: readonly Value[], environment: Environment): Value {
  return callLambda(lambda, { positional, named: noNames }, environment);
}

/** `catch[E|v,e|-> F]`: v is the value, e the error text, and the other one null. */
export function evaluateCatch(expression: Extract<Expression, { kind: "catch" }>, environment: Environment): Value {
  const result = attempt(expression.operand, environment);
  const lambda = lambdaOf(expression.lambda, environment, catcher);
  const value = "value" in result ? result.value : null;
  const text = "issue" in result ? result.issue.text : null;
  return call(lambda, lambda.parameters.length > 1 ? [value, text] : [value], environment);
}
