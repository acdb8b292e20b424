import type { Comprehension, Expression, Sync } from "./expression.ts";
import { parseChain } from "./parse-chain.ts";
import { findOnLevel } from "./find-on-level.ts";
import { parseLambda } from "./parse-lambda.ts";
import type { Scanner } from "./scanner.ts";

const opening = /(?:map|select|filter)[[{]|sum\[|catch\[|sync\[/y;

/** `map[E|..|-> E]`, `map{..}`, select, filter, `sum[E|start|..|-> E]`, `catch[E|v,e|-> E]`, `sync[..]`. */
export function parseComprehension(scanner: Scanner): Expression | undefined {
  const start = scanner.position;
  const open = scanner.match(opening);
  if (open === undefined) return undefined;
  if (!hasSeparator(scanner)) {
    // A field called map with an index behind.
    scanner.position = start;
    return undefined;
  }
  return parseChain(scanner, parseBody(scanner, open));
}

/** Whether a single "|" stands on the level of the bracket that was just opened. */
function hasSeparator(scanner: Scanner): boolean {
  const found = findOnLevel(scanner.text, scanner.position, (char, next) => {
    if (char !== "|") return "pass";
    return next === "|" ? "skip" : "found";
  });
  return found !== undefined;
}

function parseBody(scanner: Scanner, open: string): Expression {
  const close = open.endsWith("[") ? "]" : "}";
  scanner.skipBlanks();
  const source = scanner.parse();
  scanner.skipBlanks();
  const form = open.slice(0, -1);
  const initial = form === "sum" ? parseInitial(scanner) : undefined;
  const lambda = parseMapper(scanner);
  scanner.skipBlanks();
  if (form === "sync") return parseSyncEnd(scanner, source, lambda);
  scanner.expect(close);
  if (form === "catch") return { kind: "catch", operand: source, lambda };
  const base = {
    kind: "comprehension",
    form: formOf(form),
    target: close === "]" ? "list" : "map",
    source,
    lambda,
  } as const;
  return initial === undefined ? base : { ...base, initial };
}

/** `[, E][| timeout]` or `[| lambda][| timeout]`; E sees the parameters of the condition. */
function parseSyncEnd(scanner: Scanner, operand: Expression, condition: Expression): Sync {
  let value: Expression | undefined;
  if (condition.kind === "lambda" && scanner.take(",")) {
    scanner.skipBlanks();
    value = { ...condition, body: scanner.parse() };
  } else if (scanner.peek() === "|") value = parseMapper(scanner);
  scanner.skipBlanks();
  let timeout: Expression | undefined;
  if (scanner.take("|")) {
    scanner.skipBlanks();
    timeout = scanner.parse();
    scanner.skipBlanks();
  }
  scanner.expect("]");
  return {
    kind: "sync",
    operand,
    condition,
    ...(value === undefined ? {} : { value }),
    ...(timeout === undefined ? {} : { timeout }),
  };
}

function formOf(word: string): Comprehension["form"] {
  switch (word) {
    case "map":
    case "select":
    case "filter":
      return word;
    default:
      return "sum";
  }
}

function parseInitial(scanner: Scanner): Expression {
  scanner.expect("|");
  scanner.skipBlanks();
  const initial = scanner.parse();
  scanner.skipBlanks();
  return initial;
}

/** A lambda literal shares its first "|" with the separator; anything else follows the separator. */
function parseMapper(scanner: Scanner): Expression {
  if (scanner.peek() !== "|") scanner.fail("'|'");
  const literal = scanner.attempt(() => parseLambda(scanner));
  if (literal !== undefined) return literal;
  scanner.expect("|");
  scanner.skipBlanks();
  return scanner.parse();
}
