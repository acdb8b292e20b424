import type { Environment } from "../../evaluate/environment.ts";
import { EvaluationFailure, failLocally, quoting, type Message } from "../../evaluate/failure.ts";
import type { Value } from "../../value/value.ts";
import { shownType, type Arguments } from "../arguments.ts";
import { defineFunctions } from "../define-functions.ts";
import { checkByLambda } from "./check-by-lambda.ts";
import { containerValidators } from "./container-validators.ts";
import { combineValidators } from "./combine-validators.ts";
import { keyValidators } from "./key-validators.ts";
import type { Outcome } from "./outcome.ts";
import type { Validator, ValidatorTable } from "./validator.ts";
import { valueValidators } from "./value-validators.ts";

/** validate(value, conditions...) gives the value or an error, check(...) a bool. */
export const validationFunctions = defineFunctions({
  validate: (args, environment) => {
    const failed = failedCondition(args, environment);
    if (failed === undefined) return args.at(0);
    return failLocally(quoting`condition ${failed.number} failed: ${failed.statement}`);
  },
  check: (args, environment) => failedCondition(args, environment) === undefined,
});

function failedCondition(
  args: Arguments,
  environment: Environment,
): { number: Message; statement: Message } | undefined {
  args.count(2, Number.POSITIVE_INFINITY, `at least two arguments required for ${args.name}`);
  for (const [index, condition] of args.values.entries()) {
    if (index === 0) continue;
    const number = { text: String(index), safeText: String(index) };
    const { isValid, statement } = labelled(number, () => checkCondition(args.at(0), condition, environment));
    if (!isValid) return { number, statement };
  }
  return undefined;
}

/** A condition that cannot be checked is an error, not an invalid value. */
function labelled(number: Message, check: () => Outcome): Outcome {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof EvaluationFailure) || !error.isLocal) throw error;
    const { issue } = error.failure;
    return failLocally(quoting`condition ${number} has problem: ${issue}`, issue.nested);
  }
}

const validators: ValidatorTable = new Map<string, Validator>([
  ...valueValidators,
  ...keyValidators,
  ...containerValidators,
  ...combineValidators,
]);

/** A condition: the name of a validator, a list of one with its arguments, or a lambda; nothing for null. */
function checkCondition(value: Value, condition: Value, environment: Environment): Outcome {
  environment.document.budget.step();
  if (condition === null) return { isValid: true, statement: { text: "no condition", safeText: "no condition" } };
  if (typeof condition === "string") return checkNamed(condition, { value, args: [], environment });
  if (typeof condition === "object" && condition.kind === "lambda") {
    return checkByLambda(condition, [value], environment);
  }
  if (typeof condition !== "object" || condition.kind !== "list") {
    return failLocally(`invalid validation check type: ${shownType(condition)}`);
  }
  const [first, ...args] = condition.items.map((cell) => cell.value);
  if (first === undefined) return failLocally("validation type missing");
  if (typeof first === "string") return checkNamed(first, { value, args, environment });
  if (typeof first === "object" && first?.kind === "lambda") return checkByLambda(first, [value, ...args], environment);
  return failLocally(`unexpected validation type "${shownType(first)}"`);
}

function checkNamed(name: string, call: { value: Value; args: readonly Value[]; environment: Environment }): Outcome {
  const isNegated = name.startsWith("!") && name !== "!";
  const operator = isNegated ? name.slice(1) : name;
  const validator = validators.get(operator);
  if (validator === undefined) return failLocally(quoting`unknown validation operator "${operator}"`);
  const { isValid, statement } = call.environment.document.budget.descend(() =>
    validator({
      ...call,
      name: operator,
      check: (value, condition) => checkCondition(value, condition, call.environment),
    }),
  );
  return { isValid: isValid !== isNegated, statement };
}
