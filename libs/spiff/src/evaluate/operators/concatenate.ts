import { printExpression } from "../../syntax/print-expression.ts";
import type { Expression } from "../../syntax/expression.ts";
import { completeList, completeMap } from "../../value/build-value.ts";
import { Cell } from "../../value/cell.ts";
import { typeName, undefinedValue, type LambdaValue, type Value } from "../../value/value.ts";
import type { Environment } from "../environment.ts";
import { failLocally } from "../failure.ts";
import { printLambdaValue } from "../../output/print-lambda-value.ts";

export interface ConcatenationSite {
  readonly expression: Extract<Expression, { kind: "concat" }>;
  readonly environment: Environment;
}

/** Concatenation by white space. */
export function concatenate(left: Value, right: Value, site: ConcatenationSite): Value {
  const { budget } = site.environment.document;
  if (isText(left) && (isText(right) || isLambda(right))) {
    const text = `${left}${isText(right) ? right : printLambdaValue(right)}`;
    budget.charge(text.length);
    return text;
  }
  if (typeof left === "object" && left?.kind === "list") {
    if (right === null) return left;
    if (right === undefinedValue) return undefinedValue;
    const added = typeof right === "object" && right.kind === "list" ? right.items : [new Cell(right)];
    budget.charge(4 * (left.items.length + added.length));
    return completeList([...left.items, ...added], left.keyField);
  }
  if (typeof left === "object" && left?.kind === "map") {
    if (right === null) return left;
    if (right === undefinedValue) return undefinedValue;
    if (typeof right === "object" && right.kind === "map") {
      budget.charge(16 * (left.cells.size + right.cells.size));
      return completeMap(new Map([...left.cells, ...right.cells]));
    }
  }
  const { left: first, right: second } = site.expression;
  return failLocally(
    `type '${nameOf(right)}'(${printExpression(second)}) cannot be concatenated with type '${nameOf(left)}'(${printExpression(first)})`,
  );
}

function nameOf(value: Value): string {
  return value === undefinedValue ? "nil" : typeName(value);
}

function isText(value: Value): value is string | bigint | boolean {
  return typeof value === "string" || typeof value === "bigint" || typeof value === "boolean";
}

function isLambda(value: Value): value is LambdaValue {
  return typeof value === "object" && value?.kind === "lambda";
}
