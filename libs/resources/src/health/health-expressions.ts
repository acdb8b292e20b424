import { typeWord } from "@landscaper/json";
import { LandscaperError, type HealthRule, type UnstructuredObject } from "@landscaper/api";
import {
  compileExpression,
  CelCompileError,
  createCelEnvironment,
  describeEvaluationError,
  isCelError,
  toDynamicValue,
  type CelError,
  type CelProgram,
} from "@landscaper/cel";

/** Fields of an object that are variables of expressions, beside `object`. */
const fieldNames = ["apiVersion", "kind", "metadata", "spec", "status", "data"] as const;
const emptyFields = new Set<string>(["metadata", "spec", "status", "data"]);

function createEnvironment(): ReturnType<typeof createCelEnvironment> {
  const environment = createCelEnvironment({ maxNodes });
  for (const name of ["object", ...fieldNames]) environment.registerVariable(name, "dyn");
  return environment;
}

/** Nodes of the syntax tree of an expression: even its compilation costs time and memory. */
const maxNodes = 2000;
/** A long pattern with counted repetitions takes much memory. */
const maxRegexRepeats = 1000;

const environment = createEnvironment();
/** Rules are the same for all objects, checks for the passes of a job. */
const maxPrograms = 100;
const programs = new Map<string, CelProgram>();

/**
 * Throws LandscaperError (InvalidInput) for an expression that does not compile, or that has another type than bool. `where` begins the message. Compiling
 * can take long: expressions of users are compiled in the thread of HealthChecker only.
 */
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
  const repeats = [...expression.matchAll(/\{\d*,?(\d*)\}/g)].reduce((sum, [found]) => sum + largestNumber(found), 0);
  if (repeats > maxRegexRepeats) {
    throw invalid(`${where}: expected at most ${maxRegexRepeats} counted repetitions in patterns, found ${repeats}`);
  }
  try {
    return compileExpression(environment, expression);
  } catch (error) {
    if (error instanceof RangeError) throw invalid(`${where}: the expression is nested too deeply`);
    if (!(error instanceof CelCompileError)) throw error;
    throw invalid(`${where}: expected an expression in CEL: ${error.message.slice(0, maxMessageLength)}`);
  }
}

function largestNumber(braces: string): number {
  return Math.max(0, ...[...braces.matchAll(/\d+/g)].map(([digits]) => Number(digits)));
}

const maxMessageLength = 500;

/** Checks the rules of a configuration, and compiles their expressions. Throws LandscaperError that names the field and the rule. */
export function checkHealthRules(rules: readonly HealthRule[]): void {
  const names = new Set<string>();
  for (const [index, rule] of rules.entries()) {
    const where = `healthRules[${index}]`;
    if (names.has(rule.name)) throw invalid(`${where}.name: expected a name of its own, found ${rule.name} again`);
    names.add(rule.name);
    checkHealthRule(rule, where);
  }
}

function checkHealthRule(rule: HealthRule, where: string): void {
  for (const field of ["match", "paused", "inProgress", "failed", "current"] as const) {
    const expression = rule[field];
    if (expression !== undefined) compileHealthExpression(expression, `${where}.${field} (rule ${rule.name})`);
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
      if (typeof value === "boolean") return { value };
      return { problem: `expected true or false, found ${typeWord(value)}` };
    } catch (error) {
      if (isCelError(error)) return { problem: describeProblem(error, expression) };
      if (error instanceof RangeError) return { problem: "a value is too large, or nested too deeply" };
      throw error;
    }
  };
}

/** Errors quote values of the object, which may be secret: a message contains a key only if the expression does. */
function describeProblem(error: CelError, expression: string): string {
  const [, key] = /^no such key: ([A-Za-z_]\w{0,62})$/.exec(describeEvaluationError(error)) ?? [];
  if (key !== undefined && new RegExp(`\\b${key}\\b`).test(expression)) return `no such key: ${key}`;
  return problems.get(error.code) ?? "an operation failed";
}

const problems: ReadonlyMap<string, string> = new Map([
  ["no_such_key", "no such key"],
  ["index_out_of_bounds", "index out of bounds"],
  ["no_such_overload", "no such overload"],
  ["no_matching_overload", "no such overload"],
  ["invalid_logical_operand", "no such overload"],
  ["invalid_condition_type", "no such overload"],
  ["division_by_zero", "division by zero"],
  ["modulo_by_zero", "modulus by zero"],
]);

function invalid(message: string): LandscaperError {
  return new LandscaperError({
    message,
    reason: "InvalidInput",
    codes: ["ERR_CONFIGURATION_PROBLEM"],
    retry: "never",
  });
}
