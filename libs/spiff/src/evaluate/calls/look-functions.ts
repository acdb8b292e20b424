import { parseExpression } from "../../syntax/parse-expression.ts";
import { printExpression, printPath } from "../../syntax/print-expression.ts";
import { SyntaxFailure } from "../../syntax/scanner.ts";
import type { Argument, Expression } from "../../syntax/expression.ts";
import { Cell } from "../../value/cell.ts";
import { mapOf } from "../../value/build-value.ts";
import { isTrue, undefinedValue, type Value } from "../../value/value.ts";
import { pathNames, type Environment } from "../environment.ts";
import { attempt } from "../attempt.ts";
import { evaluate } from "../engine.ts";
import { syncValue } from "./sync.ts";
import { checkTagName } from "../references/tags.ts";
import { EvaluationFailure, failLocally, known, quoting, withheldFailure } from "../failure.ts";
import { withKeys } from "../references/keyed-path.ts";
import { findInStubs, withoutKeyField } from "../merging/stubs.ts";

/** Functions that look at the expressions of their arguments instead of their values. */
type LookFunction = (args: readonly Argument[], environment: Environment) => Value;

export const lookFunctions: ReadonlyMap<string, LookFunction> = new Map<string, LookFunction>([
  ["defined", (args, environment) => all(args, environment, (value) => value !== undefinedValue)],
  ["valid", (args, environment) => all(args, environment, (value) => value !== undefinedValue && value !== null)],
  ["require", requireValue],
  ["optional", optional],
  ["stub", stub],
  ["catch", catchValue],
  ["sync", syncValue],
  ["eval", evaluateText],
  ["tagdef", defineTag],
]);

function all(args: readonly Argument[], environment: Environment, test: (value: Value) => boolean): boolean {
  return args.every(({ value }) => {
    const result = attempt(value, environment);
    return "value" in result && test(result.value);
  });
}

function requireValue(args: readonly Argument[], environment: Environment): Value {
  const expression = onlyArgument(args, "one argument expected for 'require'");
  const result = attempt(expression, environment);
  if ("value" in result && result.value !== null && result.value !== undefinedValue) return result.value;
  return failLocally(`required expression "${printExpression(expression)}" undefined`);
}

/** optional(condition, value): the value, or undefined when the condition does not hold. */
function optional(args: readonly Argument[], environment: Environment): Value {
  const [condition, value] = args;
  if (condition === undefined || value === undefined || args.length > 2) {
    return failLocally("two arguments required for 'optional'");
  }
  const result = attempt(condition.value, environment);
  return "value" in result && isTrue(result.value) ? evaluate(value.value, environment) : undefinedValue;
}

function stub(args: readonly Argument[], environment: Environment): Value {
  const [argument] = args;
  if (args.length > 1) return failLocally("a maximum of one argument expected for 'stub'");
  const path = (argument === undefined ? undefined : stubPathOf(argument.value, environment)) ?? ownPath(environment);
  const found = findInStubs(environment.document.stubs, path);
  return found === undefined
    ? failLocally(quoting`'${printPath(path)}' not found in any stub`)
    : withoutKeyField(found.value);
}

/** The path of the node by the keys of list entries, whatever a merge around says; the body of a loop in a list stands where the list does. */
function ownPath({ path, stubPath, isBody }: Environment): readonly string[] {
  const isInList = isBody === true && path?.name.startsWith("[") === true;
  return withKeys(pathNames(isInList ? path.parent : path), pathNames(stubPath));
}

/** A reference is taken as it is written, not evaluated. */
function stubPathOf(expression: Expression, environment: Environment): readonly string[] | undefined {
  if (expression.kind === "reference") return expression.path;
  const value = evaluate(expression, environment);
  if (value === undefinedValue) return undefined;
  if (typeof value === "string") return value.split(".");
  if (typeof value !== "object" || value?.kind !== "list") {
    return failLocally("stub() requires a string or reference argument");
  }
  return value.items.map(({ value: step }) =>
    typeof step === "string" ? step : failLocally("stub() requires a string or reference argument"),
  );
}

/** catch(E): a map that tells whether E has a value. */
function catchValue(args: readonly Argument[], environment: Environment): Value {
  const result = attempt(onlyArgument(args, "catch requires a single argument"), environment);
  if ("issue" in result) {
    return mapOf([
      ["error", result.issue.text],
      ["valid", false],
    ]);
  }
  return mapOf([
    ["error", ""],
    ["valid", true],
    ["value", result.value === undefinedValue ? null : result.value],
  ]);
}

/** eval(text): text as an expression, evaluated here. It sees only what this expression could see itself. */
function evaluateText(args: readonly Argument[], environment: Environment): Value {
  const text = evaluate(onlyArgument(args, "one argument required for 'eval'"), environment);
  if (typeof text !== "string") return failLocally("string argument required for 'eval'");
  let expression: Expression;
  try {
    expression = parseExpression(text);
  } catch (error) {
    if (!(error instanceof SyntaxFailure)) throw error;
    return failLocally(quoting`(${text})\t ${error.message}`);
  }
  try {
    return environment.document.budget.descend(() => evaluate(expression, environment));
  } catch (error) {
    throw error instanceof EvaluationFailure ? withheldFailure(error.failure) : error;
  }
}

/** tagdef(name, value[, scope]): the value, which is a tag from now on. */
function defineTag(args: readonly Argument[], environment: Environment): Value {
  const [name, value, scope = "local", ...more] = args.map((argument) => evaluate(argument.value, environment));
  if (args.length < 2 || more.length > 0) return failLocally("two or three arguments expected for tagdef");
  if (typeof name !== "string") return failLocally("name argument for tagdef must be a string");
  if (scope !== "local" && scope !== "global") {
    return failLocally("invalid scope argument for tagdef (must be local or global)");
  }
  const result = value ?? null;
  const isStarred = name.startsWith("*") && args.length === 2;
  const tag = checkTagName(isStarred ? name.slice(1) : name);
  const path = pathNames(environment.path).join(".");
  const isGlobal = isStarred || scope === "global";
  const other = environment.document.tags.add(tag, { cell: new Cell(result), isGlobal, path });
  return other === undefined ? result : failLocally(quoting`duplicate tag "${tag}": ${known(`${path} ${other}`)}`);
}

function onlyArgument(args: readonly Argument[], expectation: string): Expression {
  const [argument] = args;
  if (argument === undefined || args.length > 1) return failLocally(expectation);
  return argument.value;
}
