import { describe, expect, it } from "@jest/globals";
import * as fc from "fast-check";
import { createSpiff, SpiffError, type SpiffMerge, type SpiffResult } from "./index.ts";

function merge(text: string, more: Partial<SpiffMerge> = {}): SpiffResult {
  return createSpiff().merge({ template: { name: "t", text }, ...more });
}

function failureOf(run: () => unknown): SpiffError {
  try {
    run();
  } catch (error) {
    if (error instanceof SpiffError) return error;
    throw error;
  }
  throw new Error("it did not fail");
}

describe("streams of documents", () => {
  it("give one output for each document", () => {
    const { output, outputs } = merge("a: 1\n---\nb: (( doc:1::a ))\n", { isStream: true });
    expect({ output, outputs }).toEqual({ output: { a: 1 }, outputs: [{ a: 1 }, { b: 1 }] });
  });

  it("leave out documents whose root is temporary, but for those behind", () => {
    expect(merge("<<: (( &temporary ))\na: 1\n---\nb: (( doc:-1::a ))\n", { isStream: true }).outputs).toEqual([
      { b: 1 },
    ]);
  });

  it("are an error unless they are asked for", () => {
    expect(() => merge("a: 1\n---\nb: 2\n")).toThrow("error parsing template [t]: multi document not possible");
  });

  it("have no outputs without documents", () => {
    expect(merge("", { isStream: true })).toMatchObject({ output: null, outputs: [] });
  });

  it("name the document of an error", () => {
    expect(failureOf(() => merge("a: 1\n---\nb: (( zz ))\n", { isStream: true })).documentNumber).toBe(2);
  });
});

describe("options of a merge", () => {
  it("tags are data beside the document", () => {
    expect(merge("a: (( lib::x.z ))\nx: 1\n", { tags: { lib: { x: { z: "(( no ))" } } } }).output).toEqual({
      a: "(( no ))",
      x: 1,
    });
  });

  it("partial tells which nodes stayed expressions", () => {
    const { output, unresolved } = merge("a: (( zz ))\nb: (( x[*].y ))\nc: 1\n", { partial: true });
    expect(output).toEqual({ a: "(( zz ))", b: "(( x[*].y ))", c: 1 });
    expect(unresolved.map(({ path, message, line }) => [path, message, line])).toEqual([
      ["a", "'zz' not found", 1],
      ["b", "'x' not found", 2],
    ]);
  });

  it("preserveEscapes gives a template with the same output", () => {
    const { output } = merge("a: ((! x ))\n<<<!: 1\n", { preserveEscapes: true });
    expect(output).toEqual({ a: "((! x ))", "<<<!": 1 });
    expect(createSpiff().merge({ template: { name: "t", data: output } }).output).toEqual({ a: "(( x ))", "<<<": 1 });
  });

  it("features are those of the merge, else those of createSpiff", () => {
    const template = { name: "t", text: "a: (( features() ))\nb: x (( 1 ))\n" };
    const spiff = createSpiff({ features: ["interpolation"] });
    expect(spiff.merge({ template }).output).toEqual({ a: ["interpolation"], b: "x 1" });
    expect(spiff.merge({ template, features: ["control"] }).output).toEqual({ a: ["control"], b: "x (( 1 ))" });
  });
});

describe("limits of documents", () => {
  const deep = (open: string, close: string, depth: number): string => `${open.repeat(depth)}${close.repeat(depth)}`;
  const quadratic = `a: &a [${"x,".repeat(99)}x]\nb: &b [${"*a,".repeat(99)}*a]\nc: [${"*b,".repeat(99)}*b]\n`;
  it.each([
    [
      "lists in lists",
      `a: ${deep("[", "]", 2000)}`,
      "error parsing template [t]: yaml: nesting of more than 1000 levels at line 1, column 1003",
    ],
    [
      "100,000 lists in lists",
      deep("[", "]", 100_000),
      "error parsing template [t]: yaml: exceeded max depth of 10000 at line 1, column 10001",
    ],
    ["aliases of aliases", quadratic, "error parsing template [t]: yaml: too many aliases at line 1, column 54"],
    [
      "aliases within what they name",
      "a: &a [*a]\n",
      "error parsing template [t]: yaml: anchor 'a' value contains itself at line 1, column 8",
    ],
    [
      "values that nest without end",
      "a: (( sum[[1..50000]|[]|s,i|-> [s]] ))",
      "t: the documents or their values nest too deep",
    ],
    ["large documents", `a: ${"x".repeat(5_000_000)}`, "t: documents of more than 5000000 characters"],
    [
      "many small lists",
      "a: (( map[[1..1000]|i|-> [1..1000]] ))",
      "t: a: results of more than 50000000 characters or entries",
    ],
    [
      "merges within merges",
      "t: {<<: (( &template )), x: (( merge(t) ))}\nr: (( merge(t) ))",
      "t: r: more than 200 calls within calls",
    ],
  ])("end %s", (_, text, message) => {
    expect(failureOf(() => merge(text)).message).toBe(message);
  });

  it("end data that nests too deep", () => {
    let data: unknown = 1;
    for (let i = 0; i < 100_000; i++) data = [data];
    expect(failureOf(() => createSpiff().merge({ template: { name: "t", data } })).message).toBe(
      "the document nests more than 1000 levels",
    );
    const bindings = { data };
    expect(failureOf(() => merge("a: 1", { bindings })).message).toBe("t: the documents or their values nest too deep");
  });
});

const keys = fc.constantFrom(
  "a",
  "b",
  "c",
  "<<",
  "<<<",
  "<<if",
  "<<then",
  "<<else",
  "<<for",
  "<<do",
  "<<switch",
  "<<merge",
  "name",
  "key:id",
);
const scalars = fc.constantFrom<unknown>(
  1,
  "x",
  true,
  null,
  "(( a ))",
  "(( b.c ))",
  "(( .a || 1 ))",
  "(( merge ))",
  "(( merge || 5 ))",
  "(( &temporary ))",
  "(( &template ))",
  "(( &inject (5) ))",
  "(( &default (a) ))",
  "(( &dynamic &template (a) ))",
  "(( *a ))",
  "(( prefer b ))",
  "(( merge none ))",
  "(( ~~ ))",
  "(( |x|-> x a ))",
  "(( a(1) ))",
  "(( map[b|x|-> x] ))",
  "(( &tag:t (1) ))",
  "(( t::. ))",
  '(( tagdef("t", 1) ))',
  "(( merge(a, b) ))",
  "(( stub() ))",
  "x (( a )) y",
  "((! x ))",
  "(( doc:-1::a ))",
  "(( __ctx ))",
  "(( a[0] ))",
  "(( [a, b] ))",
  "(( sync[a|v|-> true] ))",
);
const documents = fc.letrec<{ node: unknown }>((tie) => ({
  node: fc.oneof(
    { depthSize: "small" },
    scalars,
    fc.array(tie("node"), { maxLength: 3 }),
    fc.dictionary(keys, tie("node"), { maxKeys: 4 }),
  ),
})).node;

describe("any documents", () => {
  it("give a result or a SpiffError", () => {
    const spiff = createSpiff({ features: ["control", "interpolation"], limits: { steps: 20_000, size: 1_000_000 } });
    const property = fc.property(
      fc.tuple(documents, documents, documents),
      fc.boolean(),
      ([template, near, far], partial) => {
        try {
          const stubs = [
            { name: "near", data: near },
            { name: "far", data: far },
          ];
          spiff.merge({ template: { name: "t", data: template }, stubs, partial });
          return true;
        } catch (error) {
          if (error instanceof SpiffError) return true;
          throw error;
        }
      },
    );
    fc.assert(property, { seed: 4, numRuns: 3000 });
  });
});
