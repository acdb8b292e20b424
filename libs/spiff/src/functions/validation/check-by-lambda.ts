import type { Environment } from "../../evaluate/environment.ts";
import { failLocally, quoting, type Message } from "../../evaluate/failure.ts";
import { callLambda } from "../../evaluate/calls/lambda.ts";
import { printLambdaValue } from "../../output/print-lambda-value.ts";
import { isTrue, type LambdaValue, type Value } from "../../value/value.ts";
import { shownType } from "../arguments.ts";
import type { Outcome } from "./outcome.ts";

/** A lambda as validator: it gives a truth, or a list of one with a statement and another for failures. */
export function checkByLambda(lambda: LambdaValue, args: readonly Value[], environment: Environment): Outcome {
  const text = printLambdaValue(lambda);
  const expected = lambda.parameters.length;
  if (expected !== args.length && lambda.parameters.at(-1)?.isRest !== true) {
    return failLocally(quoting`argument count mismatch for lambda ${text}: expected ${expected}, found ${args.length}`);
  }
  const result = callLambda(lambda, { positional: args, named: new Map() }, environment);
  const parts =
    typeof result === "object" && result?.kind === "list" ? result.items.map((cell) => cell.value) : [result];
  const [truth, statement, failure] = parts;
  if (truth === undefined || parts.length > 3) {
    return failLocally(quoting`invalid result length of validator ${text}, got ${parts.length}`);
  }
  const isValid = isTrue(truth);
  const usual = quoting`${text} ${{ text: isValid ? "succeeded" : "failed", safeText: isValid ? "succeeded" : "failed" }}`;
  const whenValid = statementOf(statement, 2) ?? usual;
  const whenInvalid = statementOf(failure, 3) ?? whenValid;
  return { isValid, statement: isValid ? whenValid : whenInvalid };
}

function statementOf(value: Value | undefined, number: number): Message | undefined {
  if (value === undefined) return undefined;
  if (typeof value === "string") return quoting`${value}`;
  return failLocally(
    `lambda validator result index ${number}: lambda validator requires string, but got ${shownType(value)}`,
  );
}
