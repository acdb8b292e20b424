import { compareStrings } from "@landscaper/goyaml";
import { parseExpression } from "../../syntax/parse-expression.ts";
import { printExpression } from "../../syntax/print-expression.ts";
import { SyntaxFailure } from "../../syntax/scanner.ts";
import type { Lambda } from "../../syntax/expression.ts";
import { Cell } from "../../value/cell.ts";
import { expandedSize } from "../../value/expanded-size.ts";
import { LambdaValue, undefinedValue, type LambdaParameter, type Value } from "../../value/value.ts";
import { formatValue } from "../../output/format-value.ts";
import { printLambdaValue } from "../../output/print-lambda-value.ts";
import { bindArguments, type CallArguments } from "./bind-arguments.ts";
import { definitionAt, type Environment } from "../environment.ts";
import { evaluate } from "../engine.ts";
import { EvaluationFailure, failLocally, issueOf, known, quoting, withheldFailure, type Message } from "../failure.ts";

export function evaluateLambda(lambda: Lambda, environment: Environment, isInline = false): LambdaValue {
  const parameters = lambda.parameters.map((parameter, index): LambdaParameter => {
    if (parameter.fallback === undefined) return parameter;
    const found = defaultOf(lambda, index, environment);
    const defaultValue = found === undefinedValue ? null : found;
    const isScalar = typeof defaultValue !== "object" || defaultValue === null;
    const fallback = isScalar ? ({ kind: "literal", value: defaultValue } as const) : parameter.fallback;
    return { ...parameter, fallback, defaultValue };
  });
  const definition = definitionAt(environment);
  return new LambdaValue({
    parameters,
    body: lambda.body,
    captured: bindingsAround(environment),
    definition,
    isInline,
  });
}

function defaultOf(lambda: Lambda, index: number, environment: Environment): Value {
  const fallback = lambda.parameters[index]?.fallback;
  if (fallback === undefined) return null;
  try {
    return evaluate(fallback, environment);
  } catch (error) {
    if (!(error instanceof EvaluationFailure) || !error.isLocal) throw error;
    const texts = `${printExpression(lambda)}: ${printExpression(fallback)}`;
    const issue = issueOf(known(`evaluation of lambda call default argument ${index} failed: ${texts}`), [
      error.failure.issue,
    ]);
    throw new EvaluationFailure({ tag: "*", issue });
  }
}

function bindingsAround(environment: Environment): ReadonlyMap<string, Cell>[] {
  const captured: ReadonlyMap<string, Cell>[] = [];
  for (let { scope } = environment; scope !== undefined; scope = scope.parent) {
    if (scope.kind === "bindings") captured.unshift(scope.names);
  }
  return captured;
}

/** `lambda E`: E gives a lambda, or its text. */
export function lambdaFromValue(value: Value, environment: Environment): LambdaValue {
  if (typeof value === "object" && value?.kind === "lambda") return value;
  if (typeof value !== "string") return failLocally("lambda reference must resolve to lambda value or string");
  try {
    const parsed = parseExpression(value);
    if (parsed.kind === "lambda") {
      return evaluateLambda(parsed, environment).changed({ holdsData: true });
    }
  } catch (error) {
    if (!(error instanceof SyntaxFailure)) throw error;
    return failLocally(quoting`${error.message}`);
  }
  return failLocally(quoting`'${value}' is no lambda expression`);
}

/** Calls a lambda; free names of its body are looked up around its definition's bindings, then around the call. */
export function callLambda(lambda: LambdaValue, args: CallArguments, environment: Environment): Value {
  const bound = bindArguments(lambda, args);
  if (bound instanceof LambdaValue) return bound;
  let { scope } = environment;
  for (const captured of lambda.captured) scope = { kind: "bindings", names: captured, parent: scope };
  const names = new Map<string, Cell>();
  if (!lambda.isInline) names.set("_", new Cell(lambda));
  for (const [name, value] of bound) names.set(name, new Cell(value));
  const definition = lambda.isInline ? undefined : lambda.definition;
  const inner: Environment = { ...environment, scope: { kind: "bindings", names, parent: scope, definition } };
  try {
    return environment.document.budget.descend(() => evaluate(lambda.body, inner));
  } catch (error) {
    // What waits for other nodes, or fails with them, says so itself.
    if (!(error instanceof EvaluationFailure) || !error.isLocal) throw error;
    const { tag, issue } = lambda.holdsData ? withheldFailure(error.failure).failure : error.failure;
    const message = quoting`evaluation of lambda expression failed: ${shown(lambda)}: ${describe(bound)}`;
    throw new EvaluationFailure({ tag, issue: issueOf(message, [issue]) });
  }
}

/** A lambda as a message shows it: evaluated defaults and arguments bound by currying are data. */
function shown(lambda: LambdaValue): string | Message {
  const text = printLambdaValue(lambda);
  const isTemplateText = !lambda.holdsData && lambda.parameters.every(({ defaultValue }) => defaultValue === undefined);
  return isTemplateText ? known(text) : text;
}

/** The arguments, as the original prints them. */
function describe(bound: ReadonlyMap<string, Value>): string {
  const shownNames = [...bound].filter(([name]) => name !== "_");
  return `{${shownNames.map(([name, value]) => `${name}: ${flowText(value)}`).join(", ")}}`;
}

/** Longer values are left out of messages. */
const longestShown = 10_000;

/** A value on one line. */
function flowText(value: Value): string {
  if (expandedSize(value) > longestShown) return "...";
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value !== "object" || value === null) return formatValue(value);
  if (value.kind === "list") return `[${value.items.map((cell) => flowText(cell.value)).join(", ")}]`;
  if (value.kind !== "map") return value.kind === "lambda" ? printLambdaValue(value) : `<${value.kind}>`;
  const entries = [...value.cells].toSorted(([a], [b]) => compareStrings(a, b));
  return `{${entries.map(([key, cell]) => `${key}: ${flowText(cell.value)}`).join(", ")}}`;
}
