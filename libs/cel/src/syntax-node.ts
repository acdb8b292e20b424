import { isRecord } from "@landscaper/json";

/** A node of a parsed expression, as far as the type declarations of cel-js leave it open. */
export interface SyntaxNode {
  readonly op: string;
  readonly args: unknown;
  readonly start: number;
  readonly end: number;
  readonly pos: number;
  readonly checkedType?: { readonly name: string };
}

export function isSyntaxNode(value: unknown): value is SyntaxNode {
  return isRecord(value) && typeof value["op"] === "string" && typeof value["start"] === "number";
}

/** All nodes of an expression, parents first. */
export function* walkSyntax(value: unknown): Generator<SyntaxNode> {
  if (isSyntaxNode(value)) {
    yield value;
    yield* walkSyntax(value.args);
  } else if (Array.isArray(value)) {
    for (const entry of value) {
      yield* walkSyntax(entry);
    }
  } else if (isRecord(value)) {
    // Comprehensions keep their parts in an object.
    for (const part of ["iterable", "init", "step"]) {
      yield* walkSyntax(value[part]);
    }
  }
}

const binaryOperators: ReadonlySet<string> = new Set([
  "==",
  "!=",
  "<",
  "<=",
  ">",
  ">=",
  "+",
  "-",
  "*",
  "/",
  "%",
  "in",
  "&&",
  "||",
]);

/** Where cel-go says that a node is: at the dot of a field access, at an operator, at the parenthesis of a call. */
export function positionOf(node: SyntaxNode, expression: string): number {
  const operands: readonly unknown[] = Array.isArray(node.args) ? node.args : [];
  const [first, second] = operands;
  if ((node.op === "." || node.op === "[]") && isSyntaxNode(first)) {
    return skipBlanks(expression, first.end);
  }
  if (binaryOperators.has(node.op) && isSyntaxNode(first)) {
    return skipBlanks(expression, first.end);
  }
  if (node.op === "rcall" && isSyntaxNode(second)) {
    return indexOfParenthesis(expression, second.end);
  }
  return node.op === "call" ? indexOfParenthesis(expression, node.start) : node.start;
}

function skipBlanks(expression: string, start: number): number {
  return start + (/^[\s)]*/.exec(expression.slice(start))?.[0].length ?? 0);
}

function indexOfParenthesis(expression: string, start: number): number {
  const index = expression.indexOf("(", start);
  return index < 0 ? start : index;
}
