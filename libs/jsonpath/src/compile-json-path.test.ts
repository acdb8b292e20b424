import { describe, expect, it } from "@jest/globals";
import { assert, property, string } from "fast-check";
import { compileJsonPath, formatResults, JsonPathError } from "./index.ts";

const installation = {
  metadata: { name: "web", labels: { "app.kubernetes.io/name": "x" } },
  status: {
    phase: "Succeeded",
    conditions: [
      { type: "Ready", status: "True" },
      { type: "Stalled", status: "False" },
    ],
    empty: null,
  },
  list: [1, 2, 3],
};

function errorOf(run: () => unknown): JsonPathError {
  try {
    run();
  } catch (error) {
    if (error instanceof JsonPathError) {
      return error;
    }
    throw error;
  }
  throw new Error("expected a JsonPathError");
}

describe("evaluate", () => {
  const cases: [string, unknown[]][] = [
    ["status.phase", ["Succeeded"]],
    [".status.phase", ["Succeeded"]],
    ["{status.phase}", ["Succeeded"]],
    ["{.status.phase}", ["Succeeded"]],
    ["$.status.phase", ["Succeeded"]],
    ["  .status.phase ", ["Succeeded"]],
    ["{ status.phase }", ["Succeeded"]],
    ["['status'].phase", ["Succeeded"]],
    ["@.list[0]", [1]],
    ['status.conditions[?(@.type=="Ready")].status', ["True"]],
    ['{status.conditions[?(@.type == "Stalled")].status}', ["False"]],
    [".status.conditions[*].type", ["Ready", "Stalled"]],
    [".status.conditions[?(@.type=='None')].status", []],
    [".metadata.labels['app\\.kubernetes\\.io/name']", ["x"]],
    [".metadata.labels", [{ "app.kubernetes.io/name": "x" }]],
    [".status.empty", [null]],
    [".list", [[1, 2, 3]]],
    [".list[*]", [1, 2, 3]],
    [".missing", []],
    [".missing.deeper[0]", []],
    [".metadata.constructor", []],
    ["{.list[0]}{.list[1]}", [1]],
    ["", []],
  ];
  for (const [expression, want] of cases) {
    it(`finds ${JSON.stringify(want)} by ${JSON.stringify(expression)}`, () => {
      expect(compileJsonPath(expression, { allowMissingKeys: true }).evaluate(installation)).toEqual(want);
    });
  }

  it("selects no item whose condition compares with an empty result", () => {
    const list = [
      { a: 1, none: [] },
      { a: 1, none: [1] },
    ];
    expect(compileJsonPath("list[?(@.a==@.none[*])]").evaluate({ list })).toEqual([list[1]]);
  });

  it("takes a bracket in single quotes as a part of the condition", () => {
    const list = [{ a: "(" }, { a: ")" }];
    expect(compileJsonPath("list[?(@.a==')')]").evaluate({ list })).toEqual([list[1]]);
  });

  it("leaves out fields whose value is undefined", () => {
    expect(compileJsonPath("*").evaluate({ a: undefined, b: 1 })).toEqual([1]);
  });

  it("gives the results themselves, not copies", () => {
    expect(compileJsonPath(".status").evaluate(installation)[0]).toBe(installation.status);
  });

  it("works on lists and scalars at the root", () => {
    expect(compileJsonPath("[1:]").evaluate([1, 2, 3])).toEqual([2, 3]);
    expect(compileJsonPath("{@}").evaluate("text")).toEqual(["text"]);
  });

  it("gives the same results when it is used again", () => {
    const path = compileJsonPath('{range .list[*]}{@}{","}{end}');
    expect([path.format(installation), path.format({ list: [] }), path.format(installation)]).toEqual([
      "1,2,3,",
      "",
      "1,2,3,",
    ]);
  });
});

describe("evaluateAll", () => {
  it("gives one group per text and action", () => {
    expect(compileJsonPath("a {.list[*]} b{.list[9:9]}").evaluateAll(installation)).toEqual([
      ["a "],
      [1, 2, 3],
      [" b"],
      [],
    ]);
  });

  it("gives one group per action and value inside of a range", () => {
    expect(compileJsonPath("{range .list[0:2]}{@}{'-'}{end}").evaluateAll(installation)).toEqual([
      [1],
      ["-"],
      [2],
      ["-"],
    ]);
  });

  it("takes a range without end to the end of the template, and then the rest once more", () => {
    expect(compileJsonPath("{range .list[*]}{@};").format({ list: [1, 2] })).toBe('1;2;{"list":[1,2]};');
    const nested = "{range .list[*]}{range .a[*]}{@}{end}-";
    expect(compileJsonPath(nested).format({ list: [{ a: [1] }, { a: [2, 3] }] })).toBe("1-23--");
  });

  it("does not evaluate the body of an empty range", () => {
    expect(compileJsonPath("{range .list[9:9]}{.name}{range .x}{.y}{end}{end}after").format(installation)).toBe(
      "after",
    );
  });
});

describe("errors", () => {
  const parseErrors: [string, number, string][] = [
    ["{.a", 3, "unclosed action"],
    ["{.a\n}", 3, "unclosed action"],
    ["{.a[0}", 3, "unterminated array"],
    ["{.list[x]}", 6, "invalid array index x"],
    ["text {.list[x]}", 11, "invalid array index x"],
    ["{.a[0,x]}", 3, "invalid array index x"],
    ["{.a[?(@.b[x]==1)]}", 9, "invalid array index x"],
    ["{.a[?(@.b==#)]}", 11, 'unrecognized character "#" in action'],
    ["{.a[?(@.b==1}", 3, "unterminated filter"],
    ["list[x]", 4, "invalid array index x"],
    [" .list[x]", 6, "invalid array index x"],
    ["{ list[x]}", 6, "invalid array index x"],
    ['a["b', 1, "unterminated array"],
    ['["b"', 0, "unterminated array"],
    ["{#}", 1, 'unrecognized character "#" in action'],
    ['{"a\\q"}', 1, 'invalid escape sequence in "a\\q"'],
    ['{"\\U00110000"}', 1, 'invalid escape sequence in "\\U00110000"'],
    ['{"a}', 1, "unterminated quoted string"],
    ["{1.2.3}", 1, "cannot parse number 1.2.3"],
  ];
  for (const [expression, position, reason] of parseErrors) {
    it(`names the position of: ${reason}, in ${JSON.stringify(expression)}`, () => {
      const error = errorOf(() => compileJsonPath(expression));
      expect([error.message, error.position, error.expression]).toEqual([
        `jsonpath ${JSON.stringify(expression)}: ${reason} at position ${position}`,
        position,
        expression,
      ]);
    });
  }

  const evaluationErrors: [string, string][] = [
    [".status.nothing", "nothing is not found"],
    [".status.phase[0]", "string is not array or slice"],
    [".status[0]", "object is not array or slice"],
    [".status[?(@.a==1)]", "object is not array or slice and cannot be filtered"],
    [".status.phase[?(@.a==1)]", "string is not array or slice and cannot be filtered"],
    [".status.empty[?(@.a==1)]", "null is not array or slice and cannot be filtered"],
    ["{bogus .x}", "unrecognized identifier bogus"],
  ];
  for (const [expression, reason] of evaluationErrors) {
    it(`says that ${reason}, without a value`, () => {
      const error = errorOf(() => compileJsonPath(expression).evaluate(installation));
      expect([error.message, error.position]).toEqual([`jsonpath ${JSON.stringify(expression)}: ${reason}`, undefined]);
    });
  }

  it("parses or refuses any text, and ends", () => {
    assert(
      property(string({ unit: "grapheme", maxLength: 40 }), (text) => {
        try {
          compileJsonPath(`{${text}}`, { allowMissingKeys: true }).format(installation);
        } catch (error) {
          expect(error).toBeInstanceOf(JsonPathError);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it("takes linear time for long hostile expressions", () => {
    const started = process.cpuUsage().user;
    for (const hostile of [
      `{.a[?(${"!".repeat(50_000)}`,
      `{.a[?(${"=".repeat(50_000)})]}`,
      `{${".".repeat(50_000)}}`,
      "{".repeat(50_000),
    ]) {
      errorOf(() => compileJsonPath(hostile).evaluate({}));
    }
    expect(process.cpuUsage().user - started).toBeLessThan(2_000_000);
  });
});

describe("formatResults", () => {
  const cases: [unknown[], string][] = [
    [[], ""],
    [["a", "b"], "a b"],
    [[1, 2.5, -0.5, 0], "1 2.5 -0.5 0"],
    [[0.00001, 1e21, 1e-7, 1e100], "1e-05 1e+21 1e-07 1e+100"],
    [[true, null, undefined], "true null null"],
    [[{ b: 1, a: [undefined, "<&>"], c: undefined }], '{"a":[null,"\\u003c\\u0026\\u003e"],"b":1}'],
    [["<&>"], "<&>"],
  ];
  for (const [results, want] of cases) {
    it(`prints ${JSON.stringify(want)}`, () => {
      expect(formatResults(results)).toBe(want);
    });
  }
});

describe("integers of 64 bits", () => {
  const data = { items: [{ id: 9_007_199_254_740_993n }, { id: 9_007_199_254_740_992n }, { id: 1 }] };

  it.each<[expression: string, want: readonly unknown[]]>([
    ["{.items[?(@.id==9007199254740993)].id}", [9_007_199_254_740_993n]],
    ["{.items[?(@.id>9007199254740992)].id}", [9_007_199_254_740_993n]],
    ["{.items[?(@.id<5)].id}", [1]],
  ])("are found by %s", (expression, want) => {
    expect(compileJsonPath(expression).evaluate(data)).toEqual(want);
  });

  it("are printed with every digit", () => {
    expect(formatResults(compileJsonPath("{.items[0]}").evaluate(data))).toBe('{"id":9007199254740993}');
  });
});

describe("findMissingField", () => {
  const data = { spec: { ports: [{ name: "web", port: 80 }] }, "a.b": { c: 1 } };

  it.each<[expression: string, want: unknown]>([
    ["{.spce}", { name: "spce", siblings: ["spec", "a.b"] }],
    ["{.spec.prots}", { name: "prots", siblings: ["ports"] }],
    ["{.spec.prots[0].port}", { name: "prots", siblings: ["ports"] }],
    ["{$.spec.ports[0].prot}", { name: "prot", siblings: ["name", "port"] }],
    ["{['a\\.b'].d}", { name: "d", siblings: ["c"] }],
    ["{.spec.ports[0].port}", undefined],
    ["{.spec.ports[0].port.number}", undefined],
    ["{.spec.ports[*].prot}", undefined],
    ['{.spec.ports[?(@.name=="x")].port}', undefined],
    ["{.spec}{.spce}", undefined],
  ])("of %s", (expression, want) => {
    expect(compileJsonPath(expression, { allowMissingKeys: true }).findMissingField(data)).toEqual(want);
  });

  it("compares a limited number of fields", () => {
    const large = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`k${index}`, index]));
    expect(compileJsonPath("{.x}").findMissingField(large)?.siblings).toHaveLength(1000);
  });

  it("names the expression that does not fit the value", () => {
    expect(() => compileJsonPath("{.spec[0].x}").findMissingField(data)).toThrow(JsonPathError);
  });
});
