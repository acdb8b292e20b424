import type { Expression, Parameter } from "./expression.ts";
import type { Scanner } from "./scanner.ts";
import { startsOperand } from "./starts-operand.ts";

const lambdaWord = /lambda(?=[\s|])/y;
const namePattern = /[A-Za-z_][A-Za-z0-9_]*/y;

/** `|a, b=1, rest...|-> E`, with or without the word lambda; `lambda ref`. */
export function parseLambda(scanner: Scanner): Expression | undefined {
  if (scanner.peek() === "|") return parseLambdaLiteral(scanner);
  const literal = parseNamedLambda(scanner);
  if (literal !== undefined) return literal;
  const start = scanner.position;
  if (scanner.match(lambdaWord) === undefined) return undefined;
  scanner.skipBlanks();
  if (startsOperand(scanner)) return { kind: "lambdaReference", operand: scanner.parse() };
  scanner.position = start;
  return undefined;
}

/** A lambda that begins with its word, as it may stand behind other operands, too. */
export function parseNamedLambda(scanner: Scanner): Expression | undefined {
  const start = scanner.position;
  if (scanner.match(lambdaWord) === undefined) return undefined;
  scanner.skipBlanks();
  if (scanner.peek() === "|" && scanner.peek(1) !== "|") return parseLambdaLiteral(scanner);
  scanner.position = start;
  return undefined;
}

function parseLambdaLiteral(scanner: Scanner): Expression {
  scanner.expect("|");
  const parameters: Parameter[] = [];
  scanner.skipBlanks();
  while (!scanner.take("|")) {
    if (parameters.length > 0) {
      scanner.expect(",");
      scanner.skipBlanks();
    }
    const last = parameters.at(-1);
    const parameter = parseParameter(scanner);
    if (last?.isRest === true) scanner.fail("no parameter behind the rest");
    const isPlain = parameter.fallback === undefined && !parameter.isRest;
    if (last?.fallback !== undefined && isPlain) scanner.fail("a default value");
    parameters.push(parameter);
    scanner.skipBlanks();
  }
  scanner.skipBlanks();
  scanner.expect("->");
  scanner.skipBlanks();
  return { kind: "lambda", parameters, body: scanner.parse() };
}

function parseParameter(scanner: Scanner): Parameter {
  const name = scanner.match(namePattern) ?? scanner.fail("the name of a parameter");
  if (scanner.take("...")) return { name, isRest: true };
  scanner.skipBlanks();
  if (!scanner.take("=")) return { name, isRest: false };
  scanner.skipBlanks();
  return { name, isRest: false, fallback: scanner.parse() };
}
