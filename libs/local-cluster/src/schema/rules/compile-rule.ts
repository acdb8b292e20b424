import {
  CelCompileError,
  type CelProgram,
  compileExpression,
  describeEvaluationError,
  isCelError,
  isOverloadError,
  mentionsVariable,
} from "@landscaper/cel";
import type { Environment } from "@marcbachmann/cel-js";
import { Optional } from "@marcbachmann/cel-js";
import type { CelType } from "../schema-types.ts";
import type { FieldError } from "../../status/field-error.ts";
import { childOf, printPath } from "../field-path.ts";
import { parseFieldPath } from "./parse-field-path.ts";
import { duplicateValue, forbiddenValue, invalidValue, requiredValue } from "../schema-errors.ts";
import type { SchemaNode, ValidationRule } from "../schema-node.ts";

/** A rule of x-kubernetes-validations, ready to run. */
export interface CompiledRule {
  readonly rule: ValidationRule;
  readonly program: CelProgram | undefined;
  /** Why there is no program. */
  readonly problem: string | undefined;
  readonly messageProgram: CelProgram | undefined;
  readonly messageProblem: string | undefined;
  /** A transition rule. */
  readonly usesOldSelf: boolean;
}

/** Compiles a rule for values of a type; problems are kept, for the CRD to be refused. */
export function compileRule(environment: Environment, type: CelType, rule: ValidationRule): CompiledRule {
  const scope = environment
    .clone()
    .registerVariable("self", type.name)
    .registerVariable("oldSelf", rule.optionalOldSelf === true ? `optional<${type.name}>` : type.name);
  const { messageExpression = "" } = rule;
  const main = tryCompile(scope, { expression: rule.rule, type: "bool" });
  const message =
    messageExpression === "" ? undefined : tryCompile(scope, { expression: messageExpression, type: "string" });
  return {
    rule,
    program: main.program,
    problem: main.problem === undefined ? undefined : describe(main.problem, "cel expression must evaluate to a bool"),
    messageProgram: message?.program,
    messageProblem:
      message?.problem === undefined
        ? undefined
        : `messageExpression ${describe(message.problem, "must evaluate to a string")}`,
    usesOldSelf: mentionsVariable(rule.rule, "oldSelf"),
  };
}

const wrongType = Symbol("wrong type");

function describe(problem: string | typeof wrongType, wrongTypeText: string): string {
  return problem === wrongType ? wrongTypeText : `compilation failed: ${problem}`;
}

function tryCompile(
  environment: Environment,
  { expression, type }: { readonly expression: string; readonly type: string },
): { readonly program?: CelProgram; readonly problem?: string | typeof wrongType } {
  try {
    const program = compileExpression(environment, expression);
    return program.type === type ? { program } : { problem: wrongType };
  } catch (error) {
    if (error instanceof CelCompileError) {
      return { problem: error.message };
    }
    throw error;
  }
}

/** What a rule is run on. */
export interface RuleSubject {
  /** As expressions see it. */
  readonly self: unknown;
  /** The value before an update, as expressions see it. */
  readonly oldSelf: { readonly value: unknown } | undefined;
  readonly path: string;
}

/** The error of one rule on one value; undefined when the rule holds or does not apply. */
export function checkRule(compiled: CompiledRule, schema: SchemaNode, subject: RuleSubject): FieldError | undefined {
  const { rule, program, usesOldSelf } = compiled;
  const path = printPath(subject.path);
  const typeName = typeNameOf(schema);
  if (program === undefined) {
    return invalidValue(path, typeName, `rule compile error: ${compiled.problem ?? ""}`);
  }
  if (usesOldSelf && subject.oldSelf === undefined && rule.optionalOldSelf !== true) {
    return undefined;
  }
  const variables = { self: subject.self, oldSelf: oldSelfOf(rule, subject.oldSelf) };
  try {
    return program.evaluate(variables) === true
      ? undefined
      : makeError(compiled, { schema, path: subject.path, variables });
  } catch (error) {
    if (!isCelError(error)) {
      throw error;
    }
    const reason = describeEvaluationError(error);
    const detail = isOverloadError(error)
      ? `'${reason}': call arguments did not match a supported operator, function or macro signature for rule: ${ruleName(rule)}`
      : `${reason} evaluating rule: ${ruleName(rule)}`;
    return invalidValue(path, typeName, detail);
  }
}

/** The API server prints the type of the schema instead of the value. */
function typeNameOf({ isIntOrString, types }: SchemaNode): string {
  return isIntOrString ? "" : (types[0] ?? "");
}

function oldSelfOf(rule: ValidationRule, oldSelf: RuleSubject["oldSelf"]): unknown {
  if (rule.optionalOldSelf === true) {
    return oldSelf === undefined ? Optional.none() : Optional.of(oldSelf.value);
  }
  return oldSelf?.value;
}

interface Failure {
  readonly schema: SchemaNode;
  readonly path: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

function makeError(compiled: CompiledRule, { schema, path, variables }: Failure): FieldError {
  const { rule } = compiled;
  const field = printPath((parseFieldPath(rule.fieldPath ?? "") ?? []).reduce(childOf, path));
  const value = typeNameOf(schema);
  const detail = evaluateMessage(compiled, variables) ?? rule.message?.trim() ?? `failed rule: ${ruleName(rule)}`;
  switch (rule.reason ?? "") {
    case "FieldValueForbidden":
      return forbiddenValue(field, detail);
    case "FieldValueRequired":
      return requiredValue(field, detail);
    case "FieldValueDuplicate":
      return duplicateValue(field, value);
    default:
      return invalidValue(field, value, detail);
  }
}

/** The result of messageExpression, undefined when it gives no usable text. */
function evaluateMessage(
  { messageProgram }: CompiledRule,
  variables: Readonly<Record<string, unknown>>,
): string | undefined {
  if (messageProgram === undefined) {
    return undefined;
  }
  try {
    const message = String(messageProgram.evaluate(variables)).trim();
    return message === "" || message.includes("\n") || Buffer.byteLength(message) > 5 * 1024 ? undefined : message;
  } catch (error) {
    if (isCelError(error)) {
      return undefined;
    }
    throw error;
  }
}

function ruleName(rule: ValidationRule): string {
  return (rule.message ?? rule.rule).trim();
}
