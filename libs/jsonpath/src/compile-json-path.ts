import { EvaluationFailure } from "./evaluate-node.ts";
import { evaluateTemplate } from "./evaluate-template.ts";
import { formatResults } from "./format-results.ts";
import { JsonPathError } from "./json-path-error.ts";
import { parseJsonPath } from "./json-path-parser.ts";

export interface JsonPathOptions {
  /** A missing field gives no result instead of an error; default false, as kubectl. */
  readonly allowMissingKeys?: boolean;
}

/** A parsed expression. The methods throw {@link JsonPathError} when the expression does not fit the value. */
export interface JsonPath {
  /** The results of the first action: all of them when the expression is one path. */
  evaluate(value: unknown): readonly unknown[];
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
  const nodes = parseJsonPath(expression);
  const evaluateAll = (value: unknown): (readonly unknown[])[] => {
    try {
      return evaluateTemplate(nodes, value, { allowMissingKeys });
    } catch (error) {
      throw error instanceof EvaluationFailure ? new JsonPathError(expression, error.message) : error;
    }
  };
  return {
    evaluateAll,
    evaluate: (value) => evaluateAll(value)[0] ?? [],
    format: (value) => evaluateAll(value).map(formatResults).join(""),
  };
}
