import { compareStrings } from "@landscaper/goyaml";
import type { Environment } from "../evaluate/environment.ts";
import { EvaluationFailure, failLocally, issueOf } from "../evaluate/failure.ts";
import { callLambda } from "../evaluate/calls/lambda.ts";
import { completeList } from "../value/build-value.ts";
import { LambdaValue, type Value } from "../value/value.ts";
import type { Arguments } from "./arguments.ts";
import { chargeComparisons } from "./charge.ts";

/** sort(list), sort(list, less): less tells whether the first of two entries comes before the other, or their order. */
export function sortList(args: Arguments, environment: Environment): Value {
  args.count(1, 2, "sort takes one or two arguments");
  const list = args.list(0, "argument for sort must be a list");
  const lambda = args.at(1);
  if (args.length > 1 && !(lambda instanceof LambdaValue)) {
    return failLocally("second argument for sort must be a lambda function");
  }
  const { length } = list.items;
  environment.document.budget.chargeEntries(length);
  chargeComparisons(list, Math.log2(length + 1), environment);
  const compare = lambda instanceof LambdaValue ? byLambda(lambda, environment) : compareSimple;
  try {
    return completeList(
      list.items.toSorted((a, b) => compare(a.value, b.value)),
      list.keyField,
    );
  } catch (error) {
    if (!(error instanceof EvaluationFailure) || !error.isLocal) throw error;
    const { issue } = error.failure;
    return failLocally("sort failed", [{ ...issue, nested: [] }, ...issue.nested]);
  }
}

function compareSimple(left: Value, right: Value): number {
  if (typeof left === "string" && typeof right === "string") return compareStrings(left, right);
  if (typeof left === "bigint" && typeof right === "bigint") return left < right ? -1 : Number(left > right);
  throw new EvaluationFailure({ tag: "*", issue: issueOf("list elements must either be strings or integers") });
}

function byLambda(lambda: LambdaValue, environment: Environment): (left: Value, right: Value) => number {
  const isLess = (left: Value, right: Value): boolean => {
    const result = callLambda(lambda, { positional: [left, right], named: new Map() }, environment);
    if (typeof result === "bigint") return result < 0n;
    if (typeof result === "boolean") return result;
    const needed = lambda.parameters.length;
    const isCurried = result instanceof LambdaValue && needed > 2;
    return failLocally(
      isCurried ? `expected ${needed} arguments, but found 2` : "lambda must return a bool or integer",
    );
  };
  return (left, right) => (isLess(left, right) ? -1 : Number(isLess(right, left)));
}
