import { describe, expect, it } from "@jest/globals";
import * as fc from "fast-check";
import type { Expression } from "./expression.ts";
import { parseExpression } from "./parse-expression.ts";
import { printExpression } from "./print-expression.ts";

const name = fc.constantFrom("a", "b2", "x-y", "_");
const literal = fc.oneof(
  fc.integer({ min: -5, max: 99 }).map(String),
  fc.constantFrom("1.5", "true", "nil", "~~", '"t"', '"a\\n\\"b"', "10.0.0.1", "[]", "{}"),
);
const reference = fc.oneof(
  name,
  fc.tuple(name, name).map(([a, b]) => `${a}.${b}`),
  name.map((a) => `.${a}.[0]`),
  name.map((a) => `t:${a.replace("_", "q")}::x`),
);

/** Texts of expressions, small parts first; every compound stands in brackets where it needs them. */
const texts = fc.letrec<{ text: string }>((tie) => ({
  text: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    literal,
    reference,
    fc
      .tuple(
        tie("text"),
        fc.constantFrom(" + ", " - ", " * ", " % ", " == ", " <= ", " -or ", " || ", " // ", " "),
        tie("text"),
      )
      .map(([a, operator, b]) => `(${a})${operator}(${b})`),
    fc.tuple(tie("text"), tie("text"), tie("text")).map(([a, b, c]) => `((${a}) ? (${b}) :(${c}))`),
    tie("text").map((a) => `!(${a})`),
    tie("text").map((a) => `*(${a})`),
    fc.tuple(name, tie("text"), tie("text")).map(([f, a, b]) => `${f}(k=(${b}), (${a}))`),
    fc.tuple(name, tie("text")).map(([f, a]) => `${f}*((${a}), x...)`),
    fc.tuple(tie("text"), tie("text")).map(([a, b]) => `[(${a}), (${b})]`),
    fc.tuple(tie("text"), tie("text")).map(([a, b]) => `[(${a})..(${b})]`),
    fc.tuple(tie("text"), tie("text")).map(([a, b]) => `{ (${a}) = (${b}) }`),
    fc.tuple(tie("text"), tie("text")).map(([a, b]) => `($v = (${a})) (${b})`),
    fc.tuple(tie("text"), tie("text")).map(([a, b]) => `(|p, q=(${a}), r...|-> (${b}))`),
    fc.tuple(tie("text"), tie("text")).map(([a, b]) => `map[(${a})|k,v|-> (${b})]`),
    fc.tuple(tie("text"), tie("text"), tie("text")).map(([a, b, c]) => `sum[(${a})|(${b})|s,e|-> (${c})]`),
    fc.tuple(tie("text"), tie("text")).map(([a, b]) => `select{(${a})|(${b})}`),
    fc.tuple(tie("text"), tie("text")).map(([a, b]) => `catch[(${a})|v,e|-> (${b})]`),
    fc.tuple(tie("text"), tie("text")).map(([a, b]) => `(${a})[(${b})]`),
    tie("text").map((a) => `(${a}).f`),
    fc.constantFrom("(merge)", "(merge x.y || 5)", "(merge on k)"),
  ),
})).text;

/** The tree without brackets: those are printed where they were and where they were not. */
function withoutGroups(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(withoutGroups);
  if (typeof part !== "object" || part === null) return typeof part === "bigint" ? `${part}n` : part;
  const expression = part as Partial<Expression>;
  if (expression.kind === "group") return withoutGroups(expression.inner);
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, withoutGroups(value)]));
}

describe("printExpression", () => {
  it("gives what is read as the same expression", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const tree = parseExpression(text);
        expect(withoutGroups(parseExpression(printExpression(tree)))).toEqual(withoutGroups(tree));
      }),
      { seed: 3, numRuns: 2000 },
    );
  });
});
