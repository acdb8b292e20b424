import type { SpiffFeature } from "@landscaper/spiff";
import * as fc from "fast-check";
import { spiffFunctions } from "./spiff-functions.ts";
import { damaged, oneText, remembered, repeated, text } from "./text-arbitrary.ts";

/** A template with stubs and bindings, as YAML texts (which are JSON). */
export interface SpiffCase {
  readonly template: string;
  readonly stubs: readonly string[];
  readonly bindings: string | undefined;
  readonly features?: readonly SpiffFeature[];
  /** Files that expressions read, by path. */
  readonly files?: Readonly<Record<string, string>>;
}

const literals: Readonly<Record<string, fc.Arbitrary<string>>> = {
  int: oneText("0", "1", "2", "-3", "7", "1_000", "9223372036854775807"),
  small: oneText("2", "10", "16"),
  float: oneText("1.5", "-0.5", "1e3", "2.0"),
  text: oneText('""', '"a"', '"foo bar"', '"a,b"', '"12"', '"true"', '"l1\\nl2"', "$sym"),
  bool: oneText("true", "false"),
  list: oneText("[]", "[1, 2, 3]", '["b", "a"]', "[1..3]", "[3..1]", "[[1], [2]]", '[{"name" = "n", "v" = 1}]'),
  map: oneText("{}", '{"k" = 1}', '{"a" = "x", "b" = [1]}'),
  any: oneText("~", "nil", "1", '"t"', "[]", "{}"),
  ip: oneText("10.0.0.1", '"10.1.2.3"', "10.0.0.255"),
  cidr: oneText('"10.0.0.0/24"', '"10.1.0.0/30"'),
  separator: oneText('","', '""', '"a"'),
  pattern: oneText('"a+"', '"[a-z]"', '"(x|o)"', '"("'),
  format: oneText('"%s-%s"', '"%d"', '"%v"', '"%5s|"', '"%05d"', '"%q"', '"100%%"'),
  version: oneText('"1.2.3"', '"v1.2"', '"1.2.3-beta+x"', '"a"'),
  constraint: oneText('">=1.2"', '"~1.2"', '"^1"', '"1.x"'),
  validator: oneText('"empty"', '"!empty"', '"int"', '["type", "int"]', '["match", "a+"]', '["list", ["type", "int"]]'),
};

/** Fields of the generated documents by the kind that they are likely to have; `q` and `r` are bindings. */
const fields: Readonly<Record<string, readonly string[]>> = {
  int: ["i", ".i", "m.i", "q", "nl.alice.age", "li.[0]", "li[1]"],
  float: ["f"],
  text: ["s", ".s", "m.s", "r.s", "nl.[0].name"],
  bool: ["b"],
  list: ["li", "ls", ".li", "nl", "li.[0..1]", "li.[1..]", "nl.[*].age", "nl.[0..1].name", "nl.*.name"],
  map: ["m", ".m", "mm", "mm.inner", "nl.bob", "*tm"],
  any: ["i", "s", "li", "m", "n", "f", "b", "mm.[s]", 'mm["a"]', "nl.[0]", "nl.alice", "mm.inner.deep", "li.[-1]"],
  ip: ["ip"],
  lambda: ["la", "lb"],
};

/** What may be missing or is no plain data. An expression that speaks of itself would make a cycle. */
const others = ["m.missing", "missing", "tm"];

const operand = remembered(makeOperand);

function makeOperand(kind: string, depth: number): fc.Arbitrary<string> {
  const literal = literals[kind] ?? oneText("1");
  const known = fields[kind];
  const plain = known === undefined ? literal : fc.oneof(literal, oneText(...known));
  if (depth <= 0) return plain;
  return fc.oneof(
    { arbitrary: plain, weight: 4 },
    { arbitrary: text`( ${expression(kind, depth - 1)} )`, weight: 3 },
    { arbitrary: call(kind, depth - 1), weight: 2 },
    { arbitrary: special(kind, depth - 1), weight: 1 },
    { arbitrary: oneText(...(fields["any"] ?? [])), weight: 1 },
    { arbitrary: oneText(...others), weight: 1 },
  );
}

const call = remembered(makeCall);

function makeCall(kind: string, depth: number): fc.Arbitrary<string> {
  const fitting = spiffFunctions.filter(({ gives }) => kind === "any" || gives === kind || gives === "any");
  return fc.constantFrom(...fitting).chain(({ name, takes }) => {
    const args = takes.map((taken) =>
      taken.startsWith("...")
        ? fc.array(operand(taken.slice(3), depth), { maxLength: 2 })
        : operand(taken, depth).map((one) => [one]),
    );
    return fc.tuple(...args).map((lists) => `${name}(${lists.flat().join(", ")})`);
  });
}

/** Literals with parts, comprehensions, lambdas, merges. */
const special = remembered(makeSpecial);

function makeSpecial(kind: string, depth: number): fc.Arbitrary<string> {
  const any = operand("any", depth);
  const list = operand("list", depth);
  const map = operand("map", depth);
  const forLists = [
    text`[${operand("int", depth)}, ${any}]`,
    text`[${any}, ${list}...]`,
    text`[${operand("int", 0)}..${operand("int", 0)}]`.filter((source) => !source.includes("922337")),
    text`map[( ${list} )|x|-> ${inLambda("any", depth)}]`,
    text`map[( ${map} )|kk,x|-> ${inLambda("any", depth)}]`,
    text`select[( ${list} )|x|-> ${inLambda("bool", depth)}]`,
  ];
  const forMaps = [
    text`{ "k" = ${any}, $s = ${operand("text", depth)} }`,
    text`{ ( ${operand("text", depth)} ) = ${any} }`,
    text`map{( ${map} )|kk,x|-> ${inLambda("any", depth)}}`,
    text`select{( ${map} )|x|-> ${inLambda("bool", depth)}}`,
  ];
  const forAll = [
    text`sum[( ${list} )|${operand(kind, 0)}|s,x|-> ${inLambda(kind, depth)}]`,
    text`.la(${any})`,
    text`.lb(${any}, ${any})`,
    text`(|x|-> ${inLambda(kind, depth)})(${any})`,
    text`( "x" = ${any} ) ${inLambda(kind, depth)}`,
    text`( $x = ${any}, $kk = ${any} ) ${inLambda(kind, depth)}`,
    text`catch[( ${any} )|v,e|-> ${oneText("v", "e", "e == ~ ? v :e")}]`,
  ];
  if (kind === "list") return fc.oneof(...forLists, ...forAll);
  return kind === "map" ? fc.oneof(...forMaps, ...forAll) : fc.oneof(...forAll);
}

/** An expression with x (and k) bound. */
const inLambda = remembered(makeInLambda);

function makeInLambda(kind: string, depth: number): fc.Arbitrary<string> {
  const bound = oneText("x", "kk", "x.name", "x + 1", 'x "-" kk', "x > 1", "x == 2");
  return fc.oneof(bound, text`( ${expression(kind, Math.max(0, depth - 1))} )`);
}

/** Operators of all levels. */
const expression = remembered(makeExpression);

function makeExpression(kind: string, depth: number): fc.Arbitrary<string> {
  const same = operand(kind, depth);
  const any = operand("any", depth);
  const int = operand("int", depth);
  const number = fc.oneof(int, operand("float", depth));
  const forAll = [
    { arbitrary: same, weight: 4 },
    { arbitrary: text`${same} || ${same}`, weight: 1 },
    { arbitrary: text`${same} // ${same}`, weight: 1 },
    { arbitrary: text`${operand("bool", depth)} ? ${same} :${same}`, weight: 1 },
    { arbitrary: text`${any} || ${any} // ${same}`, weight: 1 },
  ];
  const forKind: Readonly<Record<string, readonly fc.Arbitrary<string>[]>> = {
    int: [
      text`${number} ${oneText("+", "-", "*", "/", "%")} ${number}`,
      text`${int} ${oneText("+", "-", "*")} ${int} ${oneText("+", "-", "/", "%")} ${int}`,
      text`${int} ${oneText("-or", "-and")} ${int}`,
    ],
    text: [text`${same} ${fc.oneof(int, operand("text", depth), operand("bool", depth))}`, text`${any} ${same} ${any}`],
    bool: [
      text`${any} ${oneText("==", "!=")} ${any}`,
      text`${number} ${oneText("<", "<=", ">", ">=")} ${number}`,
      text`${operand("text", depth)} ${oneText("<", "<=", ">", ">=", "==")} ${operand("text", depth)}`,
      text`!${any}`,
      text`${same} ${oneText("-or", "-and")} ${any}`,
    ],
    list: [text`${same} ${any}`, text`${same} ${same}`],
    map: [text`${same} ${same}`],
    ip: [text`${same} ${oneText("+", "-")} ${oneText("i", "0", "1", "300")}`],
  };
  const own = (forKind[kind] ?? []).map((arbitrary) => ({ arbitrary, weight: 2 }));
  return fc.oneof(...forAll, ...own);
}

const anyKind = fc.constantFrom("int", "text", "bool", "list", "map", "any", "ip");
const anyExpression = anyKind.chain((kind) => expression(kind, 2));

/** Replaces the names of other fields in an expression: those of `earlier`, so that there are no cycles. */
function speakingOf(earlier: readonly string[], source: fc.Arbitrary<string>): fc.Arbitrary<string> {
  if (earlier.length === 0) return source;
  return fc
    .tuple(source, fc.array(fc.constantFrom(...earlier), { minLength: 1, maxLength: 3 }))
    .map(([whole, names]) => {
      if (whole.includes("//")) return whole;
      let at = 0;
      return whole.replaceAll(/\b(missing|tm|n|li)\b(?!")/g, (name) =>
        at < names.length ? (names[at++] ?? name) : name,
      );
    });
}

/** Text of an expression with its brackets, now and then with a mistake in it or escaped. */
const node: fc.Arbitrary<string> = fc.oneof(
  { arbitrary: text`(( ${anyExpression} ))`, weight: 12 },
  {
    arbitrary: text`(( ${damaged(anyExpression, ["(", ")", "[", "|", "=", " ", "->", '"', ",", "x"])} ))`,
    weight: 1,
  },
  {
    arbitrary: text`(( ${oneText("merge", "merge || 5", "prefer i", "&temporary", "&local ( 5 )", "&state ( i )", "&inject", "merge none", "merge required", "merge m.i")} ))`,
    weight: 1,
  },
  { arbitrary: text`(( &temporary ( ${anyExpression} ) ))`, weight: 1 },
  { arbitrary: oneText("(( x", "x )) y", "((1))"), weight: 1 },
);

const number = fc.integer({ min: -5, max: 50 });
const scalar = fc.oneof(number, oneText("", "a", "foo", "1", "yes", "10.0.0.0/8"), fc.boolean(), fc.constant(null));
const inserted = oneText(
  "(( m ))",
  "(( merge ))",
  '(( {"z" = 1} ))',
  "(( m mm ))",
  "(( &temporary ))",
  "(( merge || m ))",
  "(( *tm ))",
);

const insertedInList = oneText("(( li ))", "(( ls ))", "(( e1 ))", "(( ~~ ))", "(( n ))");

/** Data that expressions speak of, always there; the others hold expressions, which mostly speak of the data. */
const template = fc.record(
  {
    i: number,
    f: fc.constantFrom(1.5, 2.25, -0.5),
    s: oneText("a", "inner", "foo bar", "12"),
    b: fc.boolean(),
    n: fc.constant(null),
    ip: fc.constant("10.1.1.1"),
    li: fc.array(number, { maxLength: 4 }),
    ls: fc.array(oneText("a", "b", "c,d"), { maxLength: 3 }),
    m: fc.record({ i: number, s: oneText("x", "y") }),
    mm: fc.record({ a: scalar, inner: fc.record({ deep: scalar }) }),
    nl: fc.tuple(
      fc.record({ name: fc.constant("alice"), age: number }),
      fc.record({ name: fc.constant("bob"), age: scalar }),
    ),
    tm: fc.record({
      "<<": fc.constant("(( &template ))"),
      t: oneText("(( i ))", "(( s ))", "(( x || 3 ))", "(( u ))"),
      u: scalar,
    }),
    la: oneText("(( |x|-> x 1 ))", '(( |x,y="d"|-> [x, y] ))', "(( |x|-> i ))", "(( lambda |x|-> [x] ))"),
    lb: oneText("(( |x,y|-> x == y ))", "(( |x,y...|-> y ))", "(( |x,y=3|-> [y, x] ))"),
    e1: node,
    e2: speakingOf(["e1"], node),
    e3: fc.record(
      { k: speakingOf(["e1", "e2"], node), i: scalar, l: fc.array(node, { maxLength: 1 }), "<<<": inserted },
      { requiredKeys: ["i"] },
    ),
    // Insertions last: they move what is behind them, also in the original's messages.
    e4: fc
      .tuple(
        fc.array(fc.oneof(scalar, node), { maxLength: 2 }),
        fc.option(fc.record({ "<<": insertedInList }), { nil: undefined }),
      )
      .map(([items, insertion]) => (insertion === undefined ? items : [...items, insertion])),
  },
  { requiredKeys: ["i", "f", "s", "b", "n", "ip", "li", "ls", "m", "mm", "nl", "tm", "la", "lb"] },
);

const stub = fc.record(
  {
    i: scalar,
    s: oneText("a", "b"),
    m: fc.record({ i: scalar, new: scalar }),
    nl: fc.constant([{ name: "bob", age: 99 }]),
    li: fc.constant([7]),
    e1: scalar,
    added: fc.constant("(( &inject ( 3 ) ))"),
  },
  { requiredKeys: [] },
);

/** Documents with expressions of all levels, references among them, and stubs. */
export const spiffCase: fc.Arbitrary<SpiffCase> = fc.record({
  template: template.map((data) => JSON.stringify(data)),
  stubs: fc.oneof(
    { arbitrary: fc.constant([]), weight: 3 },
    {
      arbitrary: fc.array(
        stub.map((data) => JSON.stringify(data)),
        { maxLength: 2 },
      ),
      weight: 1,
    },
  ),
  bindings: fc.option(fc.constant('{"q": 3, "r": {"s": "bound"}}'), { nil: undefined }),
});

/** Words for values that are printed as YAML. */
const printed = fc
  .oneof(
    fc.string(),
    fc.string({ unit: "grapheme" }),
    repeated(
      oneText(
        "a",
        " ",
        "\n",
        ":",
        "#",
        "-",
        "'",
        '"',
        "\t",
        "1",
        "~",
        "é",
        "{",
        "]",
        ",",
        "&",
        "!",
        "|",
        "%",
        "\\",
        "0x1",
        "yes",
        ".5",
        "\r",
        "?",
      ),
      { min: 0, max: 8 },
    ),
  )
  // The original cannot read characters beyond the basic plane.
  .map((source) => source.replaceAll(/[\ud800-\udfff]/g, "\u20ac"))
  // Insertions and expressions are no values.
  .map((source) => source.replace(/^<<|^\(\(/, "x"));

/** Plain values, for how they print. */
export const plainValue: fc.Arbitrary<unknown> = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    printed,
    fc.oneof(
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      printed,
    ),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(printed, tie("value"), { maxKeys: 3, noNullPrototype: true }),
  ),
})).value;
