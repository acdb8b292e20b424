import { failLocally } from "../../evaluate/failure.ts";
import { joinStatements, type Outcome } from "./outcome.ts";
import type { Check, Validator } from "./validator.ts";

/** Validators made of others. */
export const combineValidators: readonly [string, Validator][] = [
  ["and", all],
  ["or", any],
  ["not", none],
  ["!", none],
];

function all({ value, args, check }: Check): Outcome {
  const statements = [];
  for (const condition of required(args)) {
    const result = check(value, condition);
    if (!result.isValid) return result;
    statements.push(result.statement);
  }
  return { isValid: true, statement: joinStatements(statements) };
}

function any({ value, args, check }: Check): Outcome {
  const statements = [];
  for (const condition of required(args)) {
    const result = check(value, condition);
    if (result.isValid) return result;
    statements.push(result.statement);
  }
  return { isValid: false, statement: joinStatements(statements) };
}

function none(call: Check): Outcome {
  const { isValid, statement } = all(call);
  return { isValid: !isValid, statement };
}

function required<T>(args: readonly T[]): readonly T[] {
  return args.length > 0 ? args : failLocally("validator argument required");
}
