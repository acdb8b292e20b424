import * as fc from "fast-check";
import { spiffCalls, type SpiffCallForm } from "./spiff-calls.ts";

/** Fields around every generated expression. Text beyond ASCII stands here: in literals, the original cannot read it. */
export const surroundings = `umlaut: "äöü€"
accent: "é"
mixed: "aä bé c"
lines: "a\\nb c\\n"
none: ~
entries: [{name: one, v: 1}, {name: two, v: [1, x]}, {name: "drei", k: x}]
deep: {a: 1, b: {c: [1, 2], d: x}, e: ~}
`;

const quoted = (...texts: readonly string[]): fc.Arbitrary<string> =>
  fc.constantFrom(...texts).map((text) => JSON.stringify(text));

const word = fc.oneof(
  {
    arbitrary: quoted("", "a", "b", "abc", "a,b,,c", "  x ", "A b", "1", "-3", "1.5", "true", "~", "x-y_z", "aXbXc"),
    weight: 3,
  },
  { arbitrary: fc.constantFrom("umlaut", "accent", "mixed", "lines"), weight: 1 },
);
const int = fc.oneof(fc.integer({ min: -4, max: 12 }), fc.constantFrom(255, 1000000, -77)).map(String);
const float = fc.constantFrom("0.5", "1.5", "-2.5", "2.0", "1e3", "1e21", "0.1", "7 / 2.0", "1e-7", "100000.0");
const simple = fc.oneof(word, int, float, fc.constantFrom("true", "false", "none"));
const listOf = (item: fc.Arbitrary<string>, maxLength = 4): fc.Arbitrary<string> =>
  fc.array(item, { maxLength }).map((items) => `[${items.join(", ")}]`);
const key = quoted("a", "b", "name", "v", "zz");
const mapOf = (value: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .uniqueArray(fc.constantFrom("a", "b", "c", "name"), { maxLength: 3 })
    .chain((keys) =>
      fc
        .tuple(...keys.map(() => value))
        .map((values) => `{${keys.map((name, i) => ` "${name}"=${values[i] ?? ""}`).join(",")}}`),
    );
const list = fc.oneof(
  listOf(simple),
  listOf(fc.oneof(simple, listOf(simple, 2), mapOf(simple))),
  fc.constant("entries"),
);
const map = fc.oneof(mapOf(fc.oneof(simple, list)), mapOf(mapOf(simple)), fc.constant("deep"));
const any = fc.oneof({ arbitrary: simple, weight: 3 }, list, map);

const pattern = quoted(
  "a",
  "[a-c]",
  "b*",
  "",
  "(a)(b)?",
  "x|y",
  "^a",
  "[^,]+",
  "(?i)B",
  ".",
  "\\s+",
  "(?P<n>[a-z])",
  "(",
  "c$",
);
const version = quoted(
  "1.2.3",
  "v1.2.3",
  "1.2",
  "1",
  "1.2.3-alpha",
  "1.2.4-rc.1",
  "0.2.3",
  "0.0.3",
  "2.0.0+b",
  "01.2",
  "x",
  "1.10.0",
);
const range = quoted("10.0.0.0/30", "10.0.0.5", "10.0.0.5-10.0.0.9", "10.0.1.0 - 10.0.1.3", "192.168.0.0/24", "x");
const number = fc.oneof(int, float);
const validator = fc.oneof(
  quoted("empty", "!empty", "ip", "cidr", "semver", "list", "map", "dnslabel", "!dnsname"),
  fc
    .tuple(fc.constantFrom("gt", "lt", "ge", "le", "!gt", "value", "="), simple)
    .map(([name, bound]) => `["${name}", ${bound}]`),
  fc
    .tuple(fc.constantFrom("type", "!type"), fc.constantFrom("string", "int", "list", "map", "float", "bool", "nil"))
    .map(([name, type]) => `["${name}", "${type}"]`),
  fc.tuple(fc.constantFrom("match", "!match"), pattern).map(([name, text]) => `["${name}", ${text}]`),
  list.map((values) => `["valueset", ${values}]`),
  fc.constantFrom(
    '["list", ["type", "int"]]',
    '["mapfield", "a"]',
    '["optionalfield", "a", ["type", "int"]]',
    '["not", ["gt", 3]]',
  ),
  fc.constantFrom(
    '["and", ["type", "int"], ["gt", 2]]',
    '["or", ["type", "string"], ["gt", 2]]',
    "|x|-> x == 1",
    '|x|-> [x == 1, "is one", "is not one"]',
  ),
);

/** Literals by the kinds of spiff-calls.ts. */
const literals: Readonly<Record<string, fc.Arbitrary<string>>> = {
  text: word,
  texts: fc.oneof(word, listOf(word)),
  words: listOf(quoted("a", "b", "B", "ab", "10", "9", "")),
  ints: listOf(int, 6),
  separator: quoted(",", "", "b", "X", " ", ",,"),
  small: fc.integer({ min: -3, max: 9 }).map(String),
  int,
  simple,
  any,
  list,
  map,
  key,
  number,
  fraction: fc.constantFrom("0.5", "-0.25", "1", "0", "-1.0", "2"),
  entries: fc.oneof(fc.constant("entries"), listOf(mapOf(simple))),
  pattern,
  expansion: quoted("<$0>", "${1}x", "$1x", "$$", "", "${n}-", "$2$1"),
  matchlambda: fc.constantFrom('|m|-> "<" m[0] ">"', '|m|-> join(":", m)', "|m|-> 5", "|m|-> upper(m[0])"),
  less: fc.constantFrom("|a,b|-> a < b", "|a,b|-> b - a", "|a,b|-> a > b", "|a|-> a"),
  format: quoted(
    "%s",
    "%d %v",
    "%v|%v",
    "%5s|%-5s",
    "%q",
    "%x",
    "%05d",
    "%.2f",
    "%t %T",
    "%",
    "%%",
    "%[2]v %[1]v",
    "%+d",
    "%8.3f|%e",
    "%c",
    "%s %s %s",
  ),
  path: fc.oneof(quoted("a/b/c.txt", "/a//b/", "", ".", "../x/./y", "a/../../b", "/"), word),
  url: quoted(
    "http://u:p@h:80/p/a?q=1&r=%20#f",
    "https://host",
    "a/b?c=d",
    "mailto:x@y",
    "//h/p",
    "http://[::1]:8/",
    "x:y:z",
    "http://h/%zz",
    "?a=1&a=2&b",
    "ftp://u@h/#%41",
  ),
  base64: quoted("YWJj", "YWI=", "YQ==", "YW", "!!", "", "YWJj\nYWJj", "w6TDtg=="),
  yaml: quoted(
    "a: 1",
    "[1, 2.5, x, ~, yes]",
    "- a\n- b: c",
    "x",
    "1e3",
    "0x1f",
    "'1'",
    "{a: {b: [c]}}",
    "a: |\n  x\n  y\n",
    "---\na: 1",
    ": :",
  ),
  mode: quoted("yaml", "import", "text", "binary", "multiyaml", "importmulti", "nomode"),
  algorithm: quoted("md4", "md5", "sha1", "sha224", "sha256", "sha384", "sha512", "sha512/224", "sha512/256", "none"),
  cidr: quoted("10.0.0.0/24", "10.1.2.3/8", "10.0.0.1/32", "0.0.0.0/0", "fe80::1/64", "::/0", "1.2.3/8", "10.0.0.1/33"),
  cidr4: quoted("10.0.0.0/24", "10.1.2.3/8", "10.0.0.1/32", "0.0.0.0/0", "x"),
  ip: quoted("10.0.0.5", "10.1.0.0", "fe80::2", "::", "1.2.3"),
  ranges: fc.oneof(range, listOf(range, 3)),
  version,
  prerelease: quoted("rc.1", "", "0", "01", "a_b", "x-y"),
  constraint: quoted(
    "~1.2",
    "^1",
    ">=1.0, <2",
    "<1 || >1.1",
    "1.x",
    "*",
    "!=1.2.3",
    "1.2 - 1.4",
    ">=1.2.3-0",
    "foo",
    "^0.2",
    "~0.0.3",
    "=1.2",
    ">1.2.x",
  ),
  validator,
};

/** An argument: a literal, sometimes of another kind, or the result of another call. */
function argument(kind: string, depth: number): fc.Arbitrary<string> {
  const literal = literals[kind] ?? any;
  const others = [
    { arbitrary: literal, weight: 14 },
    { arbitrary: any, weight: 1 },
  ];
  return depth === 0 ? fc.oneof(...others) : fc.oneof(...others, { arbitrary: calls(depth - 1), weight: 2 });
}

function call({ name, kinds }: SpiffCallForm, depth: number): fc.Arbitrary<string> {
  const parts = kinds.map((kind) => {
    if (kind.startsWith("...")) return fc.array(argument(kind.slice(3), depth), { maxLength: 3 });
    const one = argument(kind.replace("?", ""), depth).map((text) => [text]);
    return kind.startsWith("?") ? fc.oneof(one, fc.constant<string[]>([])) : one;
  });
  return fc.tuple(...parts).map((args) => `${name}(${args.flat().join(", ")})`);
}

function calls(depth: number): fc.Arbitrary<string> {
  return fc.oneof(...spiffCalls.map((form) => call(form, depth)));
}

/** Calls of functions on literals and on results of other calls. */
export const spiffExpression: fc.Arbitrary<string> = calls(1);
