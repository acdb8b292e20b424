import { describeEvaluationError, isCelError } from "@landscaper/cel";
import type { Environment } from "@marcbachmann/cel-js";
import { EvaluationError } from "@marcbachmann/cel-js";
import type { NamedExpression } from "./admission-policy.ts";
import { compileTyped } from "./compile-typed.ts";
import type { CompiledExpression } from "./compile-typed.ts";

export interface CompiledVariable extends CompiledExpression {
  readonly name: string;
}

/** The variables of a policy. */
export interface PolicyVariables {
  /** In which expressions see all of them. */
  readonly environment: Environment;
  readonly variables: readonly CompiledVariable[];
  /** The value of `variables` for one request; each is evaluated when it is first read. */
  bind(request: Readonly<Record<string, unknown>>): unknown;
}

/** Compiles the variables of a policy: each sees the ones before it, with the types of their expressions. */
export function compileVariables(base: Environment, expressions: readonly NamedExpression[]): PolicyVariables {
  const variables: CompiledVariable[] = [];
  for (const { name, expression } of expressions) {
    variables.push({ name, ...compileTyped(declareVariables(base, variables), { expression, type: undefined }) });
  }
  return {
    // As in the API server, there are no variables where none are declared.
    environment: variables.length === 0 ? base : declareVariables(base, variables),
    variables,
    bind: (request) => new VariableValues(variables, request),
  };
}

function declareVariables(base: Environment, variables: readonly CompiledVariable[]): Environment {
  const fields = Object.fromEntries(variables.map(({ name, program }) => [name, program?.type ?? "dyn"]));
  return base
    .clone()
    .registerType("kubernetes.variables", { ctor: VariableValues, fields })
    .registerVariable("variables", "kubernetes.variables");
}

/** What `variables` is in an expression: cel-js reads fields of registered types by `get`. */
class VariableValues extends Map<string, unknown> {
  readonly #variables: ReadonlyMap<string, CompiledVariable>;
  readonly #request: Readonly<Record<string, unknown>>;
  readonly #known = new Map<string, { readonly value: unknown } | { readonly problem: string }>();

  constructor(variables: readonly CompiledVariable[], request: Readonly<Record<string, unknown>>) {
    super();
    this.#variables = new Map(variables.map((variable) => [variable.name, variable]));
    this.#request = request;
  }

  override get(name: string): unknown {
    const outcome = this.#known.get(name) ?? this.#evaluate(name);
    this.#known.set(name, outcome);
    if ("problem" in outcome) {
      throw new EvaluationError(outcome.problem);
    }
    return outcome.value;
  }

  #evaluate(name: string): { readonly value: unknown } | { readonly problem: string } {
    const variable = this.#variables.get(name);
    if (variable?.program === undefined) {
      return { problem: `composited variable "${name}" fails to compile: ${variable?.problem ?? "unknown variable"}` };
    }
    try {
      return { value: variable.program.evaluate({ ...this.#request, variables: this }) };
    } catch (error) {
      if (!isCelError(error)) {
        throw error;
      }
      return { problem: `composited variable "${name}" fails to evaluate: ${describeEvaluationError(error)}` };
    }
  }
}
