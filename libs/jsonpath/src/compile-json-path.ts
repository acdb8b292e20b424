import { ContentBudget, entryBytes } from "@landscaper/budget";
import { EvaluationFailure } from "./evaluate-node.ts";
import { evaluateTemplate } from "./evaluate-template.ts";
import { findMissingField, type MissingField } from "./find-missing-field.ts";
import { formatResults } from "./format-results.ts";
import { JsonPathError } from "./json-path-error.ts";
import { parseJsonPath } from "./json-path-parser.ts";

export interface JsonPathOptions {
  /** A missing field gives no result instead of an error; default false, as kubectl. */
  readonly allowMissingKeys?: boolean;
}

/** Longer expressions are refused. */
const maxLength = 10_000;

/** Values that paths may look at or select before they are refused. */
export const maxPathValues = 100_000;

/** A budget for one or several evaluations: whoever uses it up has taken a few milliseconds. */
export function startPathBudget(): ContentBudget {
  return new ContentBudget({ memoryBytes: maxPathValues * entryBytes });
}

/**
 * A parsed expression. The methods throw {@link JsonPathError} when the expression does not fit the value, and BudgetError when it looks at
 * more of it than `budget` allows: unions and recursive descent multiply what the steps before them select. Without one, each evaluation has
 * its own.
 */
export interface JsonPath {
  /** The results of the first action: all of them when the expression is one path. */
  evaluate(value: unknown, budget?: ContentBudget): readonly unknown[];
  /**
   * The first field of the path that its object does not have. Undefined if there is none, or if the path has other steps than fields and indexes
   * before it.
   */
  findMissingField(value: unknown, budget?: ContentBudget): MissingField | undefined;
  /** One group of results per text and action; per value of the range inside of `{range}`. */
  evaluateAll(value: unknown): (readonly unknown[])[];
  /** What `kubectl get -o jsonpath=...` prints. */
  format(value: unknown): string;
}

/**
 * Compiles a JSONPath expression or template of the Kubernetes flavour (client-go), with or without braces and leading dot.
 * @throws JsonPathError with the position when the expression cannot be parsed.
 */
export function compileJsonPath(expression: string, { allowMissingKeys = false }: JsonPathOptions = {}): JsonPath {
  if (expression.length > maxLength) {
    throw new JsonPathError(`${expression.slice(0, 20)}...`, `longer than ${maxLength} characters`);
  }
  const nodes = parseJsonPath(expression);
  const naming = <T>(evaluate: () => T): T => {
    try {
      return evaluate();
    } catch (error) {
      throw error instanceof EvaluationFailure ? new JsonPathError(expression, error.message) : error;
    }
  };
  const evaluateAll = (value: unknown, budget = startPathBudget()): (readonly unknown[])[] =>
    naming(() => evaluateTemplate(nodes, value, { allowMissingKeys, budget }));
  return {
    findMissingField: (value, budget = startPathBudget()) =>
      naming(() => findMissingField(nodes, value, { allowMissingKeys: true, budget })),
    evaluateAll: (value) => evaluateAll(value),
    evaluate: (value, budget) => evaluateAll(value, budget)[0] ?? [],
    format: (value) => evaluateAll(value).map(formatResults).join(""),
  };
}
