import { LandscaperError, type HealthRule, type UnstructuredObject } from "@landscaper/api";
import {
  compileExpression,
  CelCompileError,
  createCelEnvironment,
  describeEvaluationError,
  isCelError,
  toDynamicValue,
  type CelProgram,
} from "@landscaper/cel";

/** Fields of an object that are variables of expressions, beside `object`. */
const fieldNames = ["apiVersion", "kind", "metadata", "spec", "status", "data"] as const;
const emptyFields = new Set<string>(["metadata", "spec", "status", "data"]);

function createEnvironment(): ReturnType<typeof createCelEnvironment> {
  const environment = createCelEnvironment();
  for (const name of ["object", ...fieldNames]) environment.registerVariable(name, "dyn");
  return environment;
}

const environment = createEnvironment();
/** Rules are the same for all objects, checks for the passes of a job. */
const maxPrograms = 500;
const programs = new Map<string, CelProgram>();

/** Throws LandscaperError (InvalidInput) for an expression that does not compile, or that has another type than bool. `where` begins the message. */
export function compileHealthExpression(expression: string, where: string): CelProgram {
  const known = programs.get(expression);
  if (known !== undefined) return known;
  const program = compile(expression, where);
  if (program.type !== "bool" && program.type !== "dyn") {
    throw invalid(`${where}: expected an expression that is true or false, found one of type ${program.type}`);
  }
  if (programs.size >= maxPrograms) programs.clear();
  programs.set(expression, program);
  return program;
}

function compile(expression: string, where: string): CelProgram {
  try {
    return compileExpression(environment, expression);
  } catch (error) {
    if (!(error instanceof CelCompileError)) throw error;
    throw invalid(`${where}: expected an expression in CEL: ${error.message}`);
  }
}

/** Compiles all expressions of a rule; `where` is its field. Throws as compileHealthExpression does. */
export function checkHealthRule(rule: HealthRule, where: string): void {
  for (const field of ["match", "inProgress", "failed", "current"] as const) {
    const expression = rule[field];
    if (expression !== undefined) compileHealthExpression(expression, `${where}.${field}`);
  }
}

/** The value of an expression, or why it has none. */
export type Evaluated = { readonly value: boolean } | { readonly problem: string };

/** Evaluates compiled expressions for one object. An object may make an evaluation expensive: see HealthChecker for its limits. */
export function evaluatorFor(object: UnstructuredObject): (expression: string) => Evaluated {
  const fields = fieldNames.map((name) => [name, toDynamicValue(object[name] ?? (emptyFields.has(name) ? {} : ""))]);
  const variables = { ...Object.fromEntries(fields), object: toDynamicValue(object) };
  return (expression) => {
    try {
      const value = compileHealthExpression(expression, "expression").evaluate(variables);
      return typeof value === "boolean" ? { value } : { problem: "is neither true nor false" };
    } catch (error) {
      if (!isCelError(error)) throw error;
      return { problem: describeEvaluationError(error) };
    }
  };
}

function invalid(message: string): LandscaperError {
  return new LandscaperError({
    message,
    reason: "InvalidInput",
    codes: ["ERR_CONFIGURATION_PROBLEM"],
    retry: "never",
  });
}
