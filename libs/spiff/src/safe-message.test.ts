import { describe, expect, it } from "@jest/globals";
import { lookFunctions } from "./evaluate/calls/look-functions.ts";
import { createFunctions } from "./functions/create-functions.ts";
import { createSpiff, SpiffError } from "./index.ts";

const secret = "Sentinel-5ecret";
const bindings = { s: secret, n: 5, l: [secret], m: { k: secret, list: [secret] }, nul: null };
const files = {
  has: (path: string): boolean => path === "x.yaml",
  readText: (): string => `a: ${secret}\n  b: ${secret}`,
  readDir: () => [{ name: "x.yaml", isDirectory: false }],
};
const functions = [...new Set([...createFunctions({}).keys(), ...lookFunctions.keys()])];

function errorOf(data: unknown): SpiffError | undefined {
  try {
    createSpiff({ limits: { steps: 100_000 }, features: ["control", "interpolation"] }).merge({
      template: { name: "t", data },
      bindings,
      files,
    });
  } catch (error) {
    if (error instanceof SpiffError) return error;
    throw error;
  }
  return undefined;
}

/** Calls that are wrong in most functions, each quoting the secret where a function quotes at all. */
const argumentLists = [
  ["s"],
  ["l"],
  ["m"],
  ["s", "s"],
  ["s", "n"],
  ["n", "s"],
  ["l", "s"],
  ["l", "n"],
  ["m", "s"],
  ["s", "l"],
  ["s", "m"],
  ["nul", "s"],
  ["s", "s", "s"],
  ["l", "s", "s"],
  ["s", "n", "n"],
  ["s", "s", "n", "s"],
  ["s", "|x|-> 1 / 0"],
  ["l", "|x,z|-> 1 / 0"],
];

describe("safe messages", () => {
  it.each(functions)("of %s() hold no data", (name) => {
    for (const list of argumentLists) {
      const error = errorOf({ a: `(( ${name}(${list.join(", ")}) ))` });
      expect(error?.safeMessage ?? "").not.toContain(secret);
      for (const node of error?.nodes ?? []) expect(node.safeMessage).not.toContain(secret);
    }
  });

  const expressions = [
    "error(s)",
    "(|x|-> error(x))(s)",
    "(|x=s|-> x + 1)()",
    "(|x,z|-> x / z)(s, 0)",
    "join*(s)(5, m)",
    "m[s]",
    "m[s].x",
    "m[[s]]",
    "l[s]",
    "eval(s)",
    'eval(s " )(")',
    "(lambda s)(1)",
    "s + 1",
    "s * s",
    "s / s",
    "s < n",
    "s == m",
    "m s",
    'stub(s ".x")',
    "tagdef(s, 1)",
    'tagdef(s " x", 1)',
    "map[l|x|-> x + 1]",
    "map{l|x|-> x + 1}",
    "sum[l|s|a,x|-> a + x]",
    "catch[s|v|-> v + 1]",
    "sync[s|v|-> v == 1, v|0]",
    "sync[error(s)|v|-> false]",
    "[1..s]",
    "[s...]",
    "{ s = s + 1 }",
    "s(1)",
    "*s",
    'merge({ "a" = s }, s)',
    "merge({ s = 1 }, 5)",
  ];
  it.each(expressions)("of (( %s )) hold no data", (expression) => {
    expect(errorOf({ a: `(( ${expression} ))` })?.safeMessage ?? "").not.toContain(secret);
  });

  const documents: [string, unknown][] = [
    ["a switch", { a: { "<<switch": "(( s ))", x: 1 } }],
    ["cases", { a: { "<<switch": "(( l ))", "<<cases": [{ case: 1, value: 2 }] } }],
    ["a loop", { a: { "<<for": { i: "(( l ))" }, "<<do": "(( i + 1 ))" } }],
    ["variables of a loop", { a: { "<<for": "(( m ))", "<<do": "(( i + 1 ))" } }],
    ["listed variables", { a: { "<<for": '(( [{ "name" = s " ", "values" = l }] ))', "<<do": 1 } }],
    ["fields of variables", { a: { "<<for": "(( [{ s = l }] ))", "<<do": 1 } }],
    ["fields of cases", { a: { "<<switch": "(( s ))", "<<cases": "(( [{ s = 1 }] ))" } }],
    ["text", { a: "text (( s + 1 )) (( m ))" }],
    ["templates in merge()", { t: { "<<": "(( &template ))", a: "(( error(s) ))" }, r: "(( merge(t) ))" }],
  ];
  it.each(documents)("of %s hold no data", (_, data) => {
    expect(errorOf(data)?.safeMessage ?? "").not.toContain(secret);
  });

  it("stand beside messages that say all", () => {
    const [node] = errorOf({ a: '(( (|x|-> error("no " x))(s) ))' })?.nodes ?? [];
    expect(node).toMatchObject({
      message: `evaluation of lambda expression failed: lambda|x|->error("no " x): {x: "${secret}"}\n\t\t... no ${secret}`,
      safeMessage: 'evaluation of lambda expression failed: lambda|x|->error("no " x): [...]\n\t\t... [...]',
    });
  });
});
