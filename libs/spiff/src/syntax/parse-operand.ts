import { parseJson } from "@landscaper/json";
import type { Argument, Expression, Merge } from "./expression.ts";
import { parseAssignments } from "./parse-assignments.ts";
import { parseChain, parseItems } from "./parse-chain.ts";
import { parseComprehension } from "./parse-comprehension.ts";
import { parseNamedLambda } from "./parse-lambda.ts";
import type { Scanner } from "./scanner.ts";

const name = "[A-Za-z0-9_][A-Za-z0-9_-]*(?::[A-Za-z0-9_][A-Za-z0-9_-]*)?";
const referencePattern = new RegExp(
  `(?![0-9])(?:\\.?(?:${name}|\\[-?[0-9]+\\]))(?:\\.(?:${name})|\\.?\\[-?[0-9]+\\])*`,
  "y",
);
const tagPattern = /(?:doc[:.]-?[0-9]+|[A-Za-z_][A-Za-z0-9_-]*(?:[:.][A-Za-z0-9_][A-Za-z0-9_-]*)*)::/y;
const addressPattern = /[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}(?![0-9.])/y;
const numberPattern = /-?[0-9][0-9_]*(?:(\.[0-9]+)([eE][+-]?[0-9]+)?|([eE][+-]?[0-9]+))?(?![A-Za-z0-9_])/y;
const stringPattern = /"(?:[^"\\]|\\.)*"/sy;
const symbolPattern = /\$[A-Za-z0-9_]+/y;
const wordPattern = /(?:true|false|nil|merge|auto)(?![A-Za-z0-9_:([*-]|\.(?!\.))/y;
const componentPattern = new RegExp(`${name}|\\[-?[0-9]+\\]`, "g");

const wordValues = new Map<string, Expression>([
  ["true", { kind: "literal", value: true }],
  ["false", { kind: "literal", value: false }],
  ["nil", { kind: "literal", value: null }],
  ["auto", { kind: "auto" }],
]);

/** Level 8: literals, references, calls, brackets, and the chain of selections behind them. */
export function parseOperand(scanner: Scanner): Expression {
  switch (scanner.peek()) {
    case '"':
      return parseChain(scanner, parseString(scanner));
    case "(":
      return parseChain(scanner, parseGroup(scanner));
    case "[":
      return parseChain(scanner, parseListOrRange(scanner));
    case "{":
      scanner.expect("{");
      return parseChain(scanner, { kind: "map", entries: parseAssignments(scanner, "}") });
    case "~":
      scanner.expect("~");
      return scanner.take("~") ? { kind: "undefined" } : { kind: "literal", value: null };
    case "$": {
      const symbol = scanner.match(symbolPattern) ?? scanner.fail("a name after '$'");
      return parseChain(scanner, { kind: "literal", value: symbol.slice(1) });
    }
    default:
  }
  return (
    parseNumber(scanner) ??
    parseWord(scanner) ??
    parseNamedLambda(scanner) ??
    parseComprehension(scanner) ??
    parseReference(scanner)
  );
}

function parseNumber(scanner: Scanner): Expression | undefined {
  if (!/[-0-9]/.test(scanner.peek())) return undefined;
  const address = scanner.match(addressPattern);
  if (address !== undefined) return { kind: "literal", value: address };
  const start = scanner.position;
  const text = scanner.match(numberPattern)?.replaceAll("_", "");
  if (text === undefined) return undefined;
  if (/[.eE]/.test(text)) return { kind: "literal", value: Number(text) };
  const value = BigInt(text.replace(/^-/, "")) * (text.startsWith("-") ? -1n : 1n);
  if (BigInt.asIntN(64, value) !== value) {
    scanner.position = start;
    scanner.fail("an integer of 64 bits");
  }
  return { kind: "literal", value };
}

function parseString(scanner: Scanner): Expression {
  const start = scanner.position;
  const text = scanner.match(stringPattern) ?? scanner.fail("a string that ends with '\"'");
  try {
    // Line breaks of block scalars may stand in strings; JSON knows them only as escapes.
    const value: unknown = parseJson(text.replaceAll("\n", "\\n").replaceAll("\t", "\\t").replaceAll("\r", "\\r"));
    return { kind: "literal", value: String(value) };
  } catch {
    scanner.position = start;
    return scanner.fail("a string with the escapes of JSON");
  }
}

function parseWord(scanner: Scanner): Expression | undefined {
  const word = scanner.match(wordPattern);
  if (word === undefined) return undefined;
  return wordValues.get(word) ?? parseMerge(scanner);
}

/** `merge [on field] [path]`, `merge replace [path]`, `merge required`, `merge none`. */
function parseMerge(scanner: Scanner): Merge {
  const mode = takeWord(scanner, /(?:replace|required|none)(?![A-Za-z0-9_.:-])/y);
  if (mode === "none" || mode === "required") return { kind: "merge", mode, path: [] };
  const on = mode === undefined ? takeWord(scanner, /on(?=[ \t\n\r]+[A-Za-z0-9_])/y) : undefined;
  const keyField = on === undefined ? undefined : takeWord(scanner, /[A-Za-z0-9_][A-Za-z0-9_-]*/y);
  const path = takeWord(scanner, referencePattern)?.match(componentPattern) ?? [];
  const kind = mode === undefined ? "plain" : "replace";
  return { kind: "merge", mode: kind, path, ...(keyField === undefined ? {} : { keyField }) };
}

/** A word after blanks. */
function takeWord(scanner: Scanner, pattern: RegExp): string | undefined {
  const start = scanner.position;
  const word = scanner.skipBlanks() ? scanner.match(pattern) : undefined;
  if (word === undefined) scanner.position = start;
  return word;
}

function parseGroup(scanner: Scanner): Expression {
  scanner.expect("(");
  scanner.skipBlanks();
  const inner = scanner.parse();
  scanner.skipBlanks();
  scanner.expect(")");
  return { kind: "group", inner };
}

function parseListOrRange(scanner: Scanner): Expression {
  scanner.expect("[");
  scanner.skipBlanks();
  if (scanner.take("]")) return { kind: "list", items: [] };
  const first = scanner.parse();
  const afterFirst = scanner.position;
  scanner.skipBlanks();
  // Three dots spread a list; before a name, the third begins an absolute reference.
  if (scanner.startsWith("..") && scanner.match(/\.\.\.(?![A-Za-z0-9_])/y) === undefined) {
    scanner.expect("..");
    scanner.skipBlanks();
    const to = scanner.parse();
    scanner.skipBlanks();
    scanner.expect("]");
    return { kind: "range", from: first, to };
  }
  scanner.position = afterFirst;
  const items: Argument[] = [{ value: first, isSpread: scanner.take("...") }];
  return { kind: "list", items: parseItems(scanner, items, "]") };
}

function parseReference(scanner: Scanner): Expression {
  const tag = scanner.match(tagPattern)?.slice(0, -2) ?? "";
  if (tag !== "" && scanner.take(".") && !/[A-Za-z0-9_[]/.test(scanner.peek())) {
    return parseChain(scanner, { kind: "reference", tag, path: [] });
  }
  if (tag === "" && scanner.startsWith(".[") && !/^\.\[-?[0-9]+\]/.test(scanner.text.slice(scanner.position))) {
    scanner.expect(".");
    return parseChain(scanner, { kind: "reference", tag, path: [""] });
  }
  const text = scanner.match(referencePattern) ?? scanner.fail("a value");
  const components = text.match(componentPattern) ?? [];
  const path = text.startsWith(".") && tag === "" ? ["", ...components] : components;
  return parseChain(scanner, { kind: "reference", tag, path });
}
