import type { Expression } from "./expression.ts";
import { parseFull } from "./parse-operators.ts";
import { Scanner } from "./scanner.ts";
import { startsOperand } from "./starts-operand.ts";

const markerPattern = /&(?:temporary|local|template|state|inject|default|dynamic|tag:\*?[A-Za-z0-9_:.-]+)/y;

const preferWord = /prefer(?=[ \t\n\r])/y;

/** Parses the text between (( and )). Throws SyntaxFailure. */
export function parseExpression(text: string): Expression {
  const scanner = new Scanner(text, parseFull);
  scanner.skipBlanks();
  const expression = parseTop(scanner);
  scanner.skipBlanks();
  if (!scanner.isAtEnd) {
    const isOperator = scanner.furthest > scanner.position;
    scanner.fail(isOperator ? "an operator with blanks on both sides" : "an operator or the end");
  }
  return expression;
}

function parseTop(scanner: Scanner): Expression {
  if (scanner.peek() === "&") return parseMarked(scanner);
  return parsePrefer(scanner) ?? parseFull(scanner);
}

/** Only where an operand follows is it the word, not a name. */
function parsePrefer(scanner: Scanner): Expression | undefined {
  const start = scanner.position;
  if (scanner.match(preferWord) === undefined) return undefined;
  scanner.skipBlanks();
  if (startsOperand(scanner) || scanner.peek() === "|") return { kind: "prefer", operand: parseFull(scanner) };
  scanner.position = start;
  return undefined;
}

function parseMarked(scanner: Scanner): Expression {
  const markers: string[] = [];
  for (let marker = scanner.match(markerPattern); marker !== undefined; marker = scanner.match(markerPattern)) {
    markers.push(marker.slice(1));
    scanner.skipBlanks();
  }
  if (markers.length === 0) scanner.fail("a marker");
  if (scanner.isAtEnd) return { kind: "marked", markers };
  const start = scanner.position;
  scanner.expect("(");
  scanner.skipBlanks();
  const inner = parseFull(scanner);
  scanner.skipBlanks();
  scanner.expect(")");
  return { kind: "marked", markers, inner, innerText: scanner.text.slice(start, scanner.position) };
}
