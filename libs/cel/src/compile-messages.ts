import { ParseError } from "@marcbachmann/cel-js";
import type { CelError } from "./cel-messages.ts";
import { restoreNames } from "./expression-tokens.ts";
import { positionOf } from "./syntax-node.ts";
import type { SyntaxNode } from "./syntax-node.ts";

interface Finding {
  readonly message: string;
  /** Index in the expression. */
  readonly position: number;
}

/** What describing an error needs to know. */
export interface CompileContext {
  readonly expression: string;
  /** Names of all functions that exist. */
  functionNames(): ReadonlySet<string>;
}

/**
 * What cel-go prints about an expression that does not compile: message, source line and a pointer to the place. Syntax errors have the words
 * of cel-js.
 */
export function describeCompileError(error: CelError, context: CompileContext): string {
  return formatFinding(findCause(error, context), context.expression);
}

/** A message in the form of cel-go. */
export function formatFinding({ message, position }: Finding, expression: string): string {
  const before = expression.slice(0, position);
  const line = before.split("\n").length;
  const column = position - (before.lastIndexOf("\n") + 1);
  const source = expression.split("\n")[line - 1]?.replaceAll("\t", " ") ?? "";
  return `ERROR: <input>:${line}:${column + 1}: ${message}\n | ${source}\n | ${".".repeat(column)}^`;
}

function findCause(error: CelError, context: CompileContext): Finding {
  const { expression } = context;
  const text = restoreNames(error.summary);
  const node = error.node as SyntaxNode | undefined; // the type declarations of cel-js leave the operands open
  const position = node === undefined ? (error.range?.start ?? 0) : positionOf(node, expression);
  if (error instanceof ParseError) {
    return { message: `Syntax error: ${text}`, position: error.range?.start ?? 0 };
  }
  switch (error.code) {
    case "no_such_key":
      return { message: `undefined field '${text.replace(/^No such key: /, "")}'`, position };
    case "unknown_variable":
      return { message: undeclared(text.replace(/^Unknown variable: /, "")), position };
    case "no_such_overload":
      return { message: describeOperator(text), position };
    case "no_matching_overload":
      return { message: describeFunction(text, context), position };
    case "invalid_logical_operand":
      return findWrongOperand(node, { message: text, position }, expression);
    case "cannot_index_type":
      return { message: `type ${text.replace(/^Cannot index type /, "")} does not support field selection`, position };
    case "heterogeneous_list_element":
      return { message: text.replace(/^.*?, (?=expected type)/, ""), position };
    case "invalid_comprehension_range":
      return { message: text.replace(/^E/, "e").replace(/\.$/, ""), position };
    default:
      return { message: text, position };
  }
}

function undeclared(name: string): string {
  return `undeclared reference to '${name}' (in container '')`;
}

function describeOperator(text: string): string {
  const [, left, operator = "", right] = /^no such overload: (.*) (\S+) (.*)$/.exec(text) ?? [];
  if (left !== undefined && right !== undefined) {
    return `found no matching overload for '_${operator}_' applied to '(${left}, ${right})'`;
  }
  const [, sign = "", operand = ""] = /^no such overload: ([-!])(.*)$/.exec(text) ?? [];
  return `found no matching overload for '${sign}_' applied to '(${operand})'`;
}

function describeFunction(text: string, context: CompileContext): string {
  const [, receiver, name = "", parameters = ""] = /'(?:(.*)\.)?(\w+)\((.*)\)'$/.exec(text) ?? [];
  if (!context.functionNames().has(name)) {
    return undeclared(name);
  }
  const target = receiver === undefined ? "" : `${receiver}.`;
  return `found no matching overload for '${name}' applied to '${target}(${parameters})'`;
}

/** cel-go points at the operand of && and || that is no bool. */
function findWrongOperand(node: SyntaxNode | undefined, fallback: Finding, expression: string): Finding {
  const operands: readonly unknown[] = Array.isArray(node?.args) ? node.args : [];
  for (const operand of operands as readonly SyntaxNode[]) {
    // both operands are nodes
    const type = operand.checkedType?.name;
    if (type !== undefined && type !== "bool" && !type.startsWith("dyn")) {
      return { message: `expected type 'bool' but found '${type}'`, position: positionOf(operand, expression) };
    }
  }
  return fallback;
}
