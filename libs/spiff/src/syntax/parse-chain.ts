import type { Argument, Expression } from "./expression.ts";
import { parseItems } from "./parse-operand.ts";
import { parseFull } from "./parse-operators.ts";
import type { Scanner } from "./scanner.ts";

const component = /\.?\[-?[0-9]+\]|\.[A-Za-z0-9_][A-Za-z0-9_-]*(?::[A-Za-z0-9_][A-Za-z0-9_-]*)?/y;
const argumentName = /(?:[A-Za-z_][A-Za-z0-9_]*|[0-9]+)[ \t\n\r]*=(?!=)/y;

/** Selections and calls behind an operand, without blanks before: `.x [0] [E] [1..2] [*] (args) *(args)`. */
export function parseChain(scanner: Scanner, start: Expression): Expression {
  let expression = start;
  for (;;) {
    const next = parseLink(scanner, expression);
    if (next === undefined) return expression;
    expression = next;
  }
}

/** What follows a projection is about each of its elements. */
function parseLink(scanner: Scanner, base: Expression): Expression | undefined {
  if (base.kind === "projection") {
    const each = parseLink(scanner, base.each ?? { kind: "element" });
    return each === undefined ? undefined : { ...base, each };
  }
  if (scanner.peek() === "(") return parseCall(scanner, base, false);
  if (scanner.startsWith("*(") && base.kind !== "literal") {
    scanner.expect("*");
    return parseCall(scanner, base, true);
  }
  const path = parsePath(scanner);
  if (path.length > 0) return select(base, path);
  if (scanner.startsWith("[")) return parseBracket(scanner, base);
  if (scanner.startsWith(".[")) {
    scanner.expect(".");
    return parseBracket(scanner, base);
  }
  return undefined;
}

function parsePath(scanner: Scanner): string[] {
  const path: string[] = [];
  for (let found = scanner.match(component); found !== undefined; found = scanner.match(component)) {
    path.push(found.startsWith(".") ? found.slice(1) : found);
  }
  return path;
}

function select(base: Expression, path: readonly string[]): Expression {
  if (base.kind === "reference") return { ...base, path: [...base.path, ...path] };
  return { kind: "qualified", base, path };
}

function parseBracket(scanner: Scanner, base: Expression): Expression {
  scanner.expect("[");
  scanner.skipBlanks();
  if (scanner.take("*]")) return { kind: "projection", base, range: undefined, each: undefined };
  if (scanner.take("..")) return parseSliceEnd(scanner, base, undefined);
  const first = parseFull(scanner);
  scanner.skipBlanks();
  if (scanner.take("..")) return parseSliceEnd(scanner, base, first);
  const items = parseItems(scanner, [{ value: first, isSpread: false }], "]");
  return { kind: "dynamic", base, indices: items.map((item) => item.value) };
}

function parseSliceEnd(scanner: Scanner, base: Expression, from: Expression | undefined): Expression {
  scanner.skipBlanks();
  if (scanner.take("]")) return { kind: "projection", base, range: { from, to: undefined }, each: undefined };
  const to = parseFull(scanner);
  scanner.skipBlanks();
  scanner.expect("]");
  return { kind: "projection", base, range: { from, to }, each: undefined };
}

function parseCall(scanner: Scanner, callee: Expression, isCurry: boolean): Expression {
  scanner.expect("(");
  scanner.skipBlanks();
  const args: Argument[] = [];
  while (!scanner.take(")")) {
    if (args.length > 0) {
      scanner.expect(",");
      scanner.skipBlanks();
    }
    const argument = parseArgument(scanner);
    if (argument.name !== undefined && args.at(-1)?.name === undefined && args.length > 0) {
      scanner.fail("named arguments before the others");
    }
    if (argument.name !== undefined && argument.isSpread) scanner.fail("one value for a named argument");
    args.push(argument);
    scanner.skipBlanks();
  }
  return { kind: "call", callee, args, isCurry };
}

function parseArgument(scanner: Scanner): Argument {
  const name = scanner.match(argumentName)?.slice(0, -1).trim();
  scanner.skipBlanks();
  const value = parseFull(scanner);
  const isSpread = scanner.take("...");
  return name === undefined ? { value, isSpread } : { value, isSpread, name };
}
