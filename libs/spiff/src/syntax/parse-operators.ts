import type { BinaryOperator, Expression } from "./expression.ts";
import { findOnLevel } from "./find-on-level.ts";
import { parseAssignments } from "./parse-assignments.ts";
import { parseLambda } from "./parse-lambda.ts";
import { parseOperand } from "./parse-operand.ts";
import type { Scanner } from "./scanner.ts";
import { startsOperand } from "./starts-operand.ts";

/** Deeper nesting than this is an error: the parser and the evaluator recurse. */
const maxDepth = 150;

/** Level 0: scope literals, lambdas, and everything below. */
export function parseFull(scanner: Scanner): Expression {
  if (++scanner.depth > maxDepth) scanner.fail(`at most ${maxDepth} levels of nesting`);
  const expression = parseScope(scanner) ?? parseLambda(scanner) ?? parseAlternatives(scanner);
  scanner.depth--;
  return expression;
}

/** `( "k" = v, ... ) E`; the keys are expressions. */
function parseScope(scanner: Scanner): Expression | undefined {
  if (scanner.peek() !== "(" || !(hasAssignment(scanner) || scanner.startsWith("()"))) return undefined;
  scanner.expect("(");
  const entries = parseAssignments(scanner, ")");
  scanner.skipBlanks();
  return { kind: "scope", entries, body: parseFull(scanner) };
}

/** Whether the bracket here holds a "=" of an assignment on its own level; nothing else may stand there then. */
function hasAssignment(scanner: Scanner): boolean {
  const found = findOnLevel(scanner.text, scanner.position + 1, (char, next) => {
    if (char === "|" && next !== "|") return "stop";
    if ("!<>=|".includes(char) && (next === "=" || next === "|")) return "skip";
    return char === "=" ? "found" : "pass";
  });
  return found !== undefined;
}

/** Level 1, left to right. */
function parseAlternatives(scanner: Scanner): Expression {
  let left = parseConditional(scanner);
  for (;;) {
    const operator = takeOperator(scanner, ["||", "//"]);
    if (operator === undefined) return left;
    left = { kind: "or", operator, left, right: parseConditional(scanner) };
  }
}

/** Level 2: `c ? t :f`, where t and f are full expressions. */
function parseConditional(scanner: Scanner): Expression {
  const test = parseConcatenation(scanner);
  const start = scanner.position;
  scanner.skipBlanks();
  if (!scanner.take("?")) {
    scanner.position = start;
    return test;
  }
  scanner.skipBlanks();
  const yes = parseFull(scanner);
  scanner.skipBlanks();
  scanner.expect(":");
  scanner.skipBlanks();
  return { kind: "conditional", test, yes, no: parseFull(scanner) };
}

/** Level 3: operands with blanks between. */
function parseConcatenation(scanner: Scanner): Expression {
  let left = parseBinary(scanner, 0);
  for (;;) {
    const start = scanner.position;
    if (!scanner.skipBlanks() || !startsOperand(scanner)) {
      scanner.position = start;
      return left;
    }
    left = { kind: "concat", left, right: parseBinary(scanner, 0) };
  }
}

/** Levels 4 to 7. */
const binaryLevels: readonly (readonly BinaryOperator[])[] = [
  ["-or", "-and"],
  ["==", "!=", "<=", ">=", "<", ">"],
  ["+", "-"],
  ["*", "/", "%"],
];

function parseBinary(scanner: Scanner, level: number): Expression {
  const operators = binaryLevels[level];
  if (operators === undefined) return parseUnary(scanner);
  let left = parseBinary(scanner, level + 1);
  for (;;) {
    const operator = takeOperator(scanner, operators);
    if (operator === undefined) return left;
    left = { kind: "binary", operator, left, right: parseBinary(scanner, level + 1) };
  }
}

/** An operator with blanks on both sides. */
function takeOperator<T extends string>(scanner: Scanner, operators: readonly T[]): T | undefined {
  const start = scanner.position;
  if (scanner.skipBlanks()) {
    for (const operator of operators) {
      if (!scanner.take(operator)) continue;
      if (scanner.skipBlanks()) return operator;
      break;
    }
  }
  scanner.furthest = Math.max(scanner.furthest, scanner.position);
  scanner.position = start;
  return undefined;
}

function parseUnary(scanner: Scanner): Expression {
  if (scanner.peek() !== "!" && scanner.peek() !== "*") return parseOperand(scanner);
  if (++scanner.depth > maxDepth) scanner.fail(`at most ${maxDepth} levels of nesting`);
  const isNot = scanner.take("!");
  if (isNot) scanner.skipBlanks();
  else scanner.expect("*");
  const operand = parseUnary(scanner);
  scanner.depth--;
  return isNot ? { kind: "not", operand } : { kind: "instantiate", operand };
}
