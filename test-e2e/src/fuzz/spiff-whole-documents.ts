import * as fc from "fast-check";
import type { SpiffCase } from "./spiff-documents.ts";
import { wordExpression, wordFiles } from "./spiff-word-expressions.ts";
import { oneText, remembered, text } from "./text-arbitrary.ts";

/** Fields that are always there, for expressions to speak of: data, templates and lambdas. */
const surroundings = {
  d: { k: 1, s: "x", l: [1, 2], m: { u: 1, v: "w" } },
  kl: [
    { name: "a", v: 1 },
    { name: "b", v: 2, l: [{ x: 1 }, { x: 2 }] },
  ],
  lib: {
    k: 7,
    add: "(( |x|-> _.k + x ))",
    both: "(( |x,y=3|-> [x, y] ))",
    rest: "(( |x,r...|-> [x] r ))",
    walk: "(( |n|-> n < 1 ? [] :[n] _(n - 1) ))",
    t: { "<<": "(( &template ))", p: "(( d.k ))", q: "(( _.k ))", r: "(( k || 0 ))" },
    e: "(( &template ( _.k + d.k ) ))",
  },
};

const scalar = oneText("x", "y1", "", "12").map((word): unknown => word);
const plain = fc.oneof(scalar, fc.integer({ min: 0, max: 9 }), fc.boolean(), fc.constant(null));

/**
 * Expressions that give maps, lists or anything; none of them speaks of a generated field. Paths are left out, as the original names
 * entries of lists by keys that are expressions, also without stubs, and tags, which it does not know from the start.
 */
const mapExpression = oneText(
  "d.m",
  "lib.t == 1 ? d :d.m",
  '{ "a" = 5, "z" = 1 }',
  '{ "a" = d.m } d.m',
  "*lib.t",
  "merge",
  "(merge)",
  "merge || {}",
  "merge d.m",
  "merge x || d.m",
  "(merge x) d.m",
  "merge none",
  "merge replace || {}",
  "merge required || nil",
  "d.m merge",
  "~",
  "~~",
  "map{d.m|k,v|-> v}",
  'select{d.m|k,v|-> k == "u"}',
  "kl.b",
);
const listLiteral = oneText("d.l", "kl", "[1, 5]", "~", "kl.[*].v", "lib.walk(2)", "map[d.l|x|-> x + 1]");
const listExpression = oneText(
  "d.l",
  "kl",
  "[1, 5]",
  '[{ "name" = "c", "v" = 9 }]',
  '[{ "name" = "a", "v" = 8 }]',
  "merge",
  "(merge)",
  "merge || []",
  "merge x || kl",
  "merge on v || []",
  "merge none",
  "merge replace || nil",
  "~",
  "kl.[*].v",
  "kl[0..0]",
  "map[d.l|x|-> x + 1]",
  "kl.b.l.[*].x",
  "lib.walk(2)",
);
const anyExpression = oneText(
  "merge",
  "merge || 3",
  "merge x",
  "merge x.a || 4",
  "prefer 5",
  "prefer d.m",
  "prefer kl",
  'prefer { "a" = 1, "b" = [{ "name" = "a", "v" = 3 }] }',
  "d.k + 1",
  "d.s d.k",
  "d.m",
  "kl.a.v",
  "kl",
  "lib.add(2)",
  "lib.both(1)",
  "lib.both(y=2, 1)",
  "lib.both()",
  "lib.rest(1, 2, 3)",
  "lib.rest*(1)(2)",
  "lib.walk(3)",
  "map[d.l|x|-> lib.add(x)]",
  "sum[d.l|0|s,x|-> s + x]",
  "*lib.t",
  "*lib.e",
  "(*lib.t).q",
  "__ctx.FILE",
  "~",
  "~~",
  "stub() || 1",
  'stub("x.a") || 1',
  "missing || d.k",
  "missing",
  "defined(d.k)",
  "catch[missing|v,e|-> e]",
  "|x|-> x + 1",
  "&temporary",
  "merge d.k || missing",
);
const markers = oneText(
  "&temporary",
  "&local",
  "&inject",
  "&default",
  "&state",
  "&template",
  "&inject &temporary",
  "&inject &local",
  "&dynamic &template",
  "&inject &dynamic &template",
  "&default &dynamic &template",
  "&default &template",
  "&tag:t",
  "&tag:*g",
);

const entryMarkers = oneText("&temporary", "&inject", "&default", "&inject &temporary");

const expression: fc.Arbitrary<unknown> = fc.oneof(
  { arbitrary: text`(( ${anyExpression} ))`, weight: 8 },
  { arbitrary: text`(( ${markers} ( ${anyExpression} ) ))`, weight: 2 },
  { arbitrary: oneText("((! x ))", "a (( d.k )) b", "(x) (( d.s ))", "((! y )) (( d.k ))"), weight: 1 },
);

const insertionOf = (inner: fc.Arbitrary<string>): fc.Arbitrary<unknown> =>
  fc.oneof(
    { arbitrary: text`(( ${inner} ))`, weight: 5 },
    { arbitrary: text`(( ${markers} (${inner}) ))`, weight: 1 },
    { arbitrary: text`(( ${markers} ))`, weight: 2 },
  );

const keys = ["a", "b", "c"] as const;

const insertKey = oneText("<<", "<<", "<<<");

const node = remembered((kind: string, depth: number): fc.Arbitrary<unknown> => {
  const leaf =
    kind === "plain" ? plain : fc.oneof({ arbitrary: plain, weight: 2 }, { arbitrary: expression, weight: 3 });
  if (depth <= 0) return leaf;
  return fc.oneof(
    { arbitrary: leaf, weight: 4 },
    { arbitrary: mapOf(kind, depth - 1), weight: 3 },
    { arbitrary: listOf(kind, depth - 1), weight: 3 },
    { arbitrary: control(kind, depth - 1), weight: kind === "control" ? 2 : 0 },
  );
});

function mapOf(kind: string, depth: number): fc.Arbitrary<unknown> {
  const insert = fc.option(kind === "plain" ? fc.constant(undefined) : insertionOf(mapExpression), {
    nil: undefined,
    freq: 2,
  });
  return fc
    .tuple(insert, insertKey, fc.subarray([...keys]), fc.tuple(...keys.map(() => node(kind, depth))))
    .map(([inserted, key, names, values]) => ({
      ...(inserted === undefined ? {} : { [key]: inserted }),
      ...Object.fromEntries(names.map((name, index) => [name, values[index]])),
    }));
}

const entryName = (kind: string): fc.Arbitrary<unknown> =>
  kind === "plain"
    ? fc.constantFrom("a", "b", "c")
    : fc.oneof(
        { arbitrary: fc.constantFrom("a", "b", "c"), weight: 6 },
        { arbitrary: fc.constantFrom('(( "a" ))', "(( d.s ))"), weight: 1 },
      );

function listOf(kind: string, depth: number): fc.Arbitrary<unknown> {
  const keyed = fc
    .tuple(entryName(kind), fc.record({ v: node(kind, 0), l: node(kind, depth) }, { requiredKeys: [] }))
    .map(([name, fields]) => ({ name, ...fields }));
  const keyedList = fc.uniqueArray(keyed, { maxLength: 3, selector: ({ name }) => name });
  const other = node(kind, depth);
  const otherList = fc.oneof(
    fc.uniqueArray(fc.record({ "key:id": fc.constantFrom("a", "b"), v: node(kind, 0) }), {
      maxLength: 2,
      selector: (entry) => entry["key:id"],
    }),
    fc.array(fc.record({ v: node(kind, 0) }), { maxLength: 2 }),
    fc.array(other, { maxLength: 2 }),
    fc.array(fc.oneof(keyed, other), { maxLength: 3 }),
  );
  if (kind === "plain") return fc.oneof(keyedList, otherList);
  const marked = fc.tuple(text`(( ${entryMarkers} ))`, keyed).map(([marker, entry]) => ({ "<<": marker, ...entry }));
  return fc.oneof(
    { arbitrary: withInsertion(keyedList, listExpression), weight: 5 },
    // Beside a merge, the original leaves entries without keys as they are written.
    { arbitrary: withInsertion(otherList, listLiteral), weight: 4 },
    { arbitrary: fc.tuple(marked, keyedList).map(([first, rest]) => [first, ...rest]), weight: 1 },
  );
}

function withInsertion(
  list: fc.Arbitrary<readonly unknown[]>,
  inserted: fc.Arbitrary<string>,
): fc.Arbitrary<readonly unknown[]> {
  const insertion = insertionOf(inserted).map((inner) => ({ "<<": inner }));
  const place = fc.option(fc.tuple(insertion, fc.boolean()), { nil: undefined, freq: 1 });
  return fc.tuple(list, place).map(([items, found]) => {
    if (found === undefined) return items;
    return found[1] ? [found[0], ...items] : [...items, found[0]];
  });
}

/** Controls in all their forms. */
function control(kind: string, depth: number): fc.Arbitrary<unknown> {
  const value = node(kind, depth);
  return fc.oneof(
    fc.record(
      { "<<if": fc.constantFrom(true, false, "(( d.k == 1 ))", null), "<<then": value, "<<else": value },
      { requiredKeys: ["<<if"] },
    ),
    fc.record(
      { "<<switch": fc.constantFrom("a", "b", "(( d.s ))"), a: value, "<<default": value },
      { requiredKeys: ["<<switch", "<<default"] },
    ),
    fc.record({ "<<type": value, string: value, "<<default": value }, { requiredKeys: ["<<type", "<<default"] }),
    fc.record({
      "<<switch": fc.constantFrom("a", "b"),
      "<<cases": fc.array(fc.record({ case: fc.constantFrom("a", "c"), value }), { maxLength: 2 }),
      "<<default": value,
    }),
    fc.record({
      "<<for": fc.constantFrom({ i: [1, 2] }, { i: "(( d.l ))" }, { i: ["a"], j: [1, 2] }, { "i,x": { p: 1, q: 2 } }),
      "<<do": fc.oneof(value, oneText("(( i ))", "(( i d.k ))", "(( [i] ))")),
    }),
    fc.record({
      "<<for": fc.constantFrom({ i: [1, 2] }, { i: "(( d.l ))" }, { "i,x": { p: 1, q: 2 } }),
      "<<mapkey": oneText('(( "k" i ))', "(( i ))"),
      "<<do": fc.oneof(value, oneText("(( i ))", "(( [i] ))")),
    }),
    fc.record(
      { "<<merge": fc.oneof(text`(( ${mapExpression} ))`, mapOf(kind, depth)), a: value },
      { requiredKeys: ["<<merge"] },
    ),
  );
}

/** `x` is what expressions merge by its path. */
const fieldsOf = (kind: string, x = "plain"): fc.Arbitrary<Record<string, unknown>> =>
  fc.record({ a: node(kind, 2), b: node(kind, 2), c: node(kind, 2), x: node(x, 2) }, { requiredKeys: [] });

/** Nodes with tags that expressions of all words name. */
const tagged = { one: "(( &tag:td ( d ) ))", two: "(( &tag:*tg ( d.l ) ))", three: "(( &tag:lib:td ( d ) ))" };

const wordNode = text`(( ${wordExpression} ))`;

/** Expressions of all operators and functions, with what they speak of. */
const wordFields: fc.Arbitrary<Record<string, unknown>> = fc
  .record(
    {
      w: fc.record({ near: fc.constant(1), p: wordNode, q: wordNode, r: wordNode, o: wordNode, h: wordNode }),
      v: fc.array(wordNode, { minLength: 1, maxLength: 3 }),
      escaped: fc.record(
        { "<<!": oneText("x", "((! d.k ))"), "<<!if": plain, "<<<!!": plain },
        { requiredKeys: ["<<!"] },
      ),
    },
    { requiredKeys: [] },
  )
  .map((fields) => ({ ...fields, tagged }));

/** Pools and jobs in the layout that `auto` and `static_ips` know. */
const boshFields: fc.Arbitrary<Record<string, unknown>> = fc.record({
  networks: fc.constant([{ name: "net", subnets: [{ static: ["10.60.3.10 - 10.60.3.20", "10.60.3.70"] }] }]),
  resource_pools: fc.constant([{ name: "p1", size: "(( auto ))" }]),
  jobs: fc
    .tuple(fc.integer({ min: 1, max: 3 }), oneText("0, 1, 2", "3, 4, 11", "2, 1, 0, 5"))
    .map(([instances, numbers]) => [
      {
        name: "j",
        resource_pool: "p1",
        instances,
        networks: [{ name: "net", static_ips: `(( static_ips(${numbers}) ))` }],
      },
    ]),
});

/** Controls of plain data, which have values more often. */
const plainControls = fc.record(
  { first: control("plain", 1), second: control("plain", 1), third: control("plain", 1) },
  { requiredKeys: [] },
);

const templateOf = (kind: string): fc.Arbitrary<string> =>
  fc
    .tuple(
      fieldsOf(kind),
      kind === "control" ? fc.oneof(fc.constant({}), plainControls) : fc.constant({}),
      fc.oneof(
        { arbitrary: fc.constant({}), weight: 2 },
        { arbitrary: wordFields, weight: 3 },
        { arbitrary: boshFields, weight: 1 },
      ),
    )
    .map((parts) => JSON.stringify(Object.assign({}, surroundings, ...parts)));

/** Little beside many expressions of all words: such documents succeed more often. */
const wordTemplate = fc
  .tuple(fc.record({ a: node("plain", 1), words: fc.array(wordNode, { maxLength: 16 }) }), wordFields)
  .map((parts) => JSON.stringify(Object.assign({}, surroundings, ...parts)));

/** A second document that speaks of the first. */
const streamTemplate = fc
  .tuple(
    templateOf("plain"),
    fc.record({ a: oneText("(( doc:1::d.k ))", "(( doc:-1::d.m ))", "(( doc:1::a || 1 ))"), b: wordNode }),
  )
  .map(([first, second]) => `${first}\n---\n${JSON.stringify({ ...surroundings, tagged, ...second })}`);

const stubOf = (kind: string): fc.Arbitrary<string> =>
  fc
    .oneof(fieldsOf("plain"), fieldsOf(kind), fieldsOf(kind, kind))
    .map((fields) => JSON.stringify({ d: surroundings.d, kl: surroundings.kl, ...fields }));

/** Documents of all that documents can have: markers, insertions, lists with keys, templates, lambdas, controls and stubs. */
export const wholeSpiffCase: fc.Arbitrary<SpiffCase> = fc.oneof(
  { arbitrary: caseOf(templateOf("all"), "all", []), weight: 5 },
  { arbitrary: caseOf(templateOf("control"), "control", ["control", "interpolation"]), weight: 2 },
  { arbitrary: caseOf(wordTemplate, "all", []), weight: 2 },
  { arbitrary: caseOf(streamTemplate, "plain", []), weight: 1 },
);

function caseOf(
  template: fc.Arbitrary<string>,
  kind: string,
  features: NonNullable<SpiffCase["features"]>,
): fc.Arbitrary<SpiffCase> {
  const parts = {
    template,
    stubs: fc.array(stubOf(kind), { maxLength: 2 }),
    bindings: fc.option(fc.constant('{"bound": 3}'), { nil: undefined }),
    features: fc.constant(features),
  };
  // Files are another outermost scope.
  return fc
    .record(parts)
    .map((item) => ({ ...item, files: /\b(?:read|lookup_|list_(?:files|dirs))/.test(item.template) ? wordFiles : {} }));
}
