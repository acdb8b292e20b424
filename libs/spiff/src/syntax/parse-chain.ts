import type { Argument, Expression } from "./expression.ts";
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
  const first = scanner.parse();
  scanner.skipBlanks();
  if (scanner.take("..")) return parseSliceEnd(scanner, base, first);
  const items = parseItems(scanner, [{ value: first, isSpread: false }], "]");
  return { kind: "dynamic", base, indices: items.map((item) => item.value) };
}

function parseSliceEnd(scanner: Scanner, base: Expression, from: Expression | undefined): Expression {
  scanner.skipBlanks();
  if (scanner.take("]")) return { kind: "projection", base, range: { from, to: undefined }, each: undefined };
  const to = scanner.parse();
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
  const value = scanner.parse();
  const isSpread = scanner.take("...");
  return name === undefined ? { value, isSpread } : { value, isSpread, name };
}

/** The rest of a list of values up to the closing bracket. */
export function parseItems(scanner: Scanner, items: Argument[], close: string): Argument[] {
  for (;;) {
    scanner.skipBlanks();
    if (scanner.take(close)) return items;
    scanner.expect(",");
    scanner.skipBlanks();
    const value = scanner.parse();
    items.push({ value, isSpread: scanner.take("...") });
  }
}
