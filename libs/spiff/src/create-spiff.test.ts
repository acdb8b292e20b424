import { ContentBudget } from "@landscaper/budget";
import { describe, expect, it } from "@jest/globals";
import { createSpiff, SpiffError, type BudgetLimits, type SpiffOptions } from "./index.ts";

const files = {
  has: (path: string) => ["VERSION", "./VERSION", "config.yaml"].includes(path),
  readText: (path: string) => (path === "config.yaml" ? "a: (( x ))\nb: 2\n" : "v1.2.3"),
  readDir: () => [
    { name: "VERSION", isDirectory: false },
    { name: "config.yaml", isDirectory: false },
  ],
};

function execute(template: unknown, bindings: Record<string, unknown> = {}, options: SpiffOptions = {}): unknown {
  return createSpiff(options).execute({ name: "deploy execution", template, bindings, files }).output;
}

function failureOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof SpiffError) return error.message;
    throw error;
  }
  return "no error";
}

describe("executions", () => {
  it("read text templates as YAML", () => {
    expect(execute("a: (( imports.x ))\nb: (( a + 1 ))\n", { imports: { x: 4 } })).toEqual({ a: 4, b: 5 });
  });

  it("take data as templates", () => {
    expect(execute({ "<<<": "(( imports.m ))", c: [1, "(( imports.m.a ))"] }, { imports: { m: { a: 2 } } })).toEqual({
      a: 2,
      c: [1, 2],
    });
  });

  it("read files of the blueprint as text and as YAML with expressions", () => {
    const template = { x: 1, version: '(( read("./VERSION", "text") ))', config: '(( read("config.yaml") ))' };
    expect(execute(template)).toEqual({ x: 1, version: "v1.2.3", config: { a: 1, b: 2 } });
  });

  it("give the nodes of the state, and see them in the next run", () => {
    const spiff = createSpiff();
    const template = { pw: { "<<<": "(( &state ))", value: "(( imports.seed ))" } };
    const first = spiff.execute({ name: "e", template, bindings: { imports: { seed: "one" } }, files });
    const second = spiff.execute({
      name: "e",
      template,
      bindings: { imports: { seed: "two" } },
      files,
      state: first.state,
    });
    expect([first.state, second.output, second.state]).toEqual([
      { pw: { value: "one" } },
      { pw: { value: "one" } },
      { pw: { value: "one" } },
    ]);
  });

  it("keep text of the state that looks like an expression, and lambdas in it", () => {
    const spiff = createSpiff();
    const template = { pw: "(( &state ( seed ) ))", twice: "(( &state (|x|-> x x) ))", out: '(( .twice("a") ))' };
    const first = spiff.execute({ name: "e", template, bindings: { seed: '(( read("VERSION") ))' }, files });
    const second = spiff.execute({ name: "e", template, bindings: { seed: "other" }, files, state: first.state });
    expect(first.output).toMatchObject({ pw: '(( read("VERSION") ))', out: "aa" });
    expect(second).toEqual(first);
  });

  it("have no state without state nodes", () => {
    expect(createSpiff().execute({ name: "e", template: { a: 1 }, bindings: {}, files }).state).toBeUndefined();
  });

  it("name the execution and every unresolved node in errors", () => {
    expect(failureOf(() => execute({ a: "(( zzz ))", b: "(( a ))", c: "(( d ))", d: "(( c ))" }))).toBe(
      [
        "deploy execution: unresolved nodes:",
        "\t(( zzz ))\tin template\ta\t()\t*'zzz' not found",
        "\t(( d ))\tin template\tc\t()\t@'d' unresolved",
        "\t(( c ))\tin template\td\t()\t@'c' unresolved",
        "\t(( a ))\tin template\tb\t()\t-'a' unresolved",
      ].join("\n"),
    );
  });

  it("call the functions that the caller adds", () => {
    const functions = { parseOCIRef: (ref: unknown) => String(ref).split(":") };
    expect(execute({ a: '(( parseOCIRef("reg/repo:1.0")[1] ))' }, {}, { functions })).toEqual({ a: "1.0" });
  });

  it("turn what an added function throws into an error of the node", () => {
    const functions = {
      broken: () => {
        throw new Error("two arguments expected");
      },
    };
    expect(failureOf(() => execute({ a: "(( broken() ))" }, {}, { functions }))).toBe(
      "deploy execution: unresolved nodes:\n\t(( broken() ))\tin template\ta\t()\t*two arguments expected",
    );
  });
});

describe("places of errors", () => {
  function errorOf(text: string, limits: BudgetLimits = {}): SpiffError {
    try {
      createSpiff({ limits }).merge({ template: { name: "t", text } });
    } catch (error) {
      if (error instanceof SpiffError) return error;
    }
    throw new Error("it did not fail");
  }

  it.each<[string, [string, number | undefined, number | undefined][]]>([
    ["a: 1\nb: (( c ))\n", [["b", 2, 4]]],
    [
      "- x: 1\n  z: (( c ))\n- (( c ))\n",
      [
        ["[0].z", 2, 6],
        ["[1]", 3, 3],
      ],
    ],
    ["(( c ))", [["", 1, 1]]],
    ["{ a: [ '(( c ))' ] }", [["a.[0]", 1, 8]]],
    ["a: >-\n  (( c ))\n", [["a", 1, 4]]],
    [
      "a: (( c ))\nb: (( c ))\n",
      [
        ["a", 1, 4],
        ["b", 2, 4],
      ],
    ],
    ["a: (( 1 + ))\n", [["a", 1, 4]]],
    ["a:\n  <<: (( c ))\n", [["a.<<", 2, 7]]],
    ["t:\n  <<: (( &template ))\n  x: (( c ))\na: (( *t ))\n", [["a", 4, 4]]],
  ])("are those of the nodes of %j", (text, want) => {
    expect(errorOf(text).nodes.map(({ path, line, column }) => [path, line, column])).toEqual(want);
  });

  it("are not known in documents of data", () => {
    const run = (): unknown => createSpiff().merge({ template: { name: "t", data: { a: "(( c ))" } } });
    expect(run).toThrow(expect.objectContaining({ nodes: [expect.objectContaining({ line: undefined })] }));
  });

  it("are those of limits and of broken YAML, too", () => {
    expect(errorOf("a: 1\nb: (( sum[[1..1000]|0|s,e|-> s + e] ))\n", { steps: 100 })).toMatchObject({
      message: "t: b: more than 100 steps",
      place: { line: 2, column: 4 },
    });
    expect(errorOf("a: 1\n  b: c\n").place?.line).toBe(2);
    expect(errorOf("a: 1\n1: c\n").place).toEqual({ line: 2, column: 1 });
  });

  it("do not tell templates of the same text apart", () => {
    const text = "a: (( &template ( x ) ))\nb: (( &template ( x ) ))\nc: (( a == b ))\n";
    expect(createSpiff().merge({ template: { name: "t", text } }).output).toMatchObject({ c: true });
  });
});

describe("data mappings", () => {
  it.each([
    ["(( a.b ))", 1],
    [
      ["(( a.b ))", 2],
      [1, 2],
    ],
    [{ x: "(( a ))" }, { x: { b: 1 } }],
    ["plain", "plain"],
    [5, 5],
    ["((! a ))", "(( a ))"],
  ])("evaluate %j", (document, expected) => {
    expect(createSpiff().map(document, { a: { b: 1 } }, "importDataMappings.k")).toEqual(expected);
  });

  it("name the mapping in errors", () => {
    expect(failureOf(() => createSpiff().map("(( a ))", {}, "importDataMappings.k"))).toBe(
      "unresolved nodes:\n\t(( a ))\tin importDataMappings.k\t\t()\t*'a' not found",
    );
  });
});

describe("bound values", () => {
  it("are data, also when they look like expressions", () => {
    expect(execute({ a: "(( x ))", b: '(( x "!" ))' }, { x: '(( read("VERSION") ))' })).toEqual({
      a: '(( read("VERSION") ))',
      b: '(( read("VERSION") ))!',
    });
  });

  it("keep their exclamation marks", () => {
    expect(execute({ a: "(( x ))" }, { x: "((! y ))" })).toEqual({ a: "((! y ))" });
  });

  it("that are whole numbers are ints", () => {
    const template = { text: '(( "x" n ))', more: "(( n > 1 ))", same: "(( n == 3 ))", list: "(( [1..n] ))" };
    expect(execute(template, { n: 3 })).toEqual({ text: "x3", more: true, same: true, list: [1, 2, 3] });
  });

  it("stay floats as in the original when asked for", () => {
    const options = { numbers: "original" } as const;
    expect(execute({ sum: "(( n + 1 ))", more: "(( n > 1 ))", same: "(( n == 3 ))" }, { n: 3 }, options)).toEqual({
      sum: 4,
      more: false,
      same: false,
    });
  });

  it("keep the digits of large ints", () => {
    expect(execute({ a: "(( n + 1 ))" }, { n: 9007199254740993n })).toEqual({ a: 9007199254740994n });
  });
});

describe("access to the host", () => {
  const refused = ["exec", "pipe", "env", "write", "tempfile", "mkdir", "exec_uncached", "read_uncached"];
  it.each(refused)("is not there by %s", (name) => {
    expect(failureOf(() => execute({ a: `(( ${name}("/etc/passwd") ))` }))).toBe(
      `deploy execution: unresolved nodes:\n\t(( ${name}("/etc/passwd") ))\tin template\ta\t()\t*function '${name}' is not available: templates have no access to the host`,
    );
  });

  it.each([
    ["/etc/passwd", "read: error reading [/etc/passwd]: no such file"],
    ["../../etc/passwd", "read: error reading [../../etc/passwd]: no such file"],
    ["http://localhost/x", "read: only files of the blueprint can be read, no URLs"],
  ])("is not there by read(%s)", (path, message) => {
    expect(failureOf(() => execute({ a: `(( read("${path}") ))` }))).toBe(
      `deploy execution: unresolved nodes:\n\t(( read("${path}") ))\tin template\ta\t()\t*${message}`,
    );
  });

  it.each(["/etc", "..", "../..", "a/../.."])("is not there by list_files(%s)", (path) => {
    expect(failureOf(() => execute({ a: `(( list_files("${path}") ))` }))).toBe(
      `deploy execution: unresolved nodes:\n\t(( list_files("${path}") ))\tin template\ta\t()\t*list_files: "${path}" is no directory or does not exist`,
    );
  });

  it("is not there by names of object properties", () => {
    const names = ["constructor", "__proto__", "prototype", "toString", "process", "globalThis"];
    for (const name of names) {
      expect(failureOf(() => execute({ a: `(( m.${name} ))`, m: {} }))).toBe(
        `deploy execution: unresolved nodes:\n\t(( m.${name} ))\tin template\ta\t()\t*'m.${name}' not found`,
      );
    }
  });

  it("mappings have no files", () => {
    expect(failureOf(() => createSpiff().map('(( read("VERSION") ))', {}, "k"))).toBe(
      'unresolved nodes:\n\t(( read("VERSION") ))\tin k\t\t()\t*read: there are no files here',
    );
  });
});

describe("limits", () => {
  let ticks = 0;
  const now = (): number => (ticks += 1);
  const cases: [string, Record<string, unknown>, string][] = [
    ["endless recursion", { f: "(( |x|-> _(x + 1) ))", r: "(( .f(1) ))" }, "t: r: more than 200 calls within calls"],
    ["huge ranges", { r: "(( [1..1000000000] ))" }, "t: r: results of more than 50000000 characters or entries"],
    [
      "growing text",
      { f: "(( |s,n|-> n == 0 ? s :_(s s, n - 1) ))", r: '(( .f("xxxxxxxx", 60) ))' },
      "t: r: results of more than 50000000 characters or entries",
    ],
    [
      "loops within loops",
      { r: "(( sum[[1..30000]|0|s,e|-> sum[[1..30000]|0|a,b|-> a + b]] ))" },
      "t: r: more than 100 ms",
    ],
    [
      "templates that hold themselves",
      { t: { "<<": "(( &template ))", x: "(( *t ))" }, r: "(( *t ))" },
      "t: r: more than 200 templates within templates",
    ],
  ];
  it.each(cases)("end %s", (_, data, message) => {
    const spiff = createSpiff({ limits: { content: new ContentBudget({ timeMs: 100, clock: now }) } });
    expect(failureOf(() => spiff.merge({ template: { name: "t", data } }))).toBe(message);
  });

  it("end dynamic templates that merge themselves at once", () => {
    const insert = "(( &dynamic &template ((merge)) ))";
    const stub = {
      c: { "<<": insert, a: [{ name: "a", v: "(( nope || 3 ))", l: "(( merge || 3 ))" }], b: "(( 5 ))", c: {} },
    };
    const request = { template: { name: "t", data: { c: "x" } }, stubs: [{ name: "s", data: stub }] };
    expect(failureOf(() => createSpiff().merge(request))).toBe("t: c: more than 200 templates within templates");
  });

  it("are not reached by brackets: those are a syntax error", () => {
    const depth = 5000;
    const message = failureOf(() => execute({ a: `(( ${"(".repeat(depth)}1${")".repeat(depth)} ))` }));
    expect(message.slice(-40)).toBe("50 levels of nesting, found '(((((((((('");
  });

  it("leave room for long chains of nodes in any order", () => {
    const length = 6000;
    const nodes = Array.from({ length }, (_, i): [string, unknown] => [`k${i}`, i === 0 ? 1 : `(( k${i - 1} + 1 ))`]);
    const output = execute(Object.fromEntries(nodes.toReversed()));
    expect(output).toMatchObject({ k0: 1, k5999: 6000 });
  });

  it("leave room for long cycles: they are reported, not followed for ever", () => {
    const length = 300;
    const nodes = Array.from({ length }, (_, i): [string, unknown] => [`k${i}`, `(( k${(i + 1) % length} ))`]);
    expect(failureOf(() => execute(Object.fromEntries(nodes))).split("\n")).toHaveLength(length + 1);
  });
});
