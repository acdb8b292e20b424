import * as fc from "fast-check";
import { typedFunctions, type Kind } from "./go-functions.ts";
import { damaged, inOrder, oneText, repeated, text } from "./text-arbitrary.ts";

/** A template with its data, as the oracle takes it. */
export interface GoTemplateCase {
  readonly template: string;
  readonly data: unknown;
  readonly missingKey: "default" | "zero" | "error";
}

const word = fc.constantFrom(
  "",
  "a",
  "b",
  "foo",
  "Bar baz",
  "x-1",
  "1.5",
  "12",
  "ä€",
  "<b>",
  'q"',
  "l1\nl2",
  "\u{1f600}z",
);
const number = fc.oneof(
  fc.integer({ min: -9, max: 20 }),
  fc.constantFrom(1.5, -0.25, 1e6, 1e21, 1e-7, 123456789, 9007199254740992, 0.1),
);
const scalar = fc.oneof(word, number, fc.boolean(), fc.constant(null));

/** Data with fields of known kinds, as JSON gives it: all numbers are floats. */
export const goData: fc.Arbitrary<unknown> = fc.record({
  s: word,
  n: number,
  b: fc.boolean(),
  z: fc.constant(null),
  l: fc.array(scalar, { maxLength: 4 }),
  ls: fc.array(word, { maxLength: 4 }),
  m: fc.dictionary(fc.constantFrom("a", "b", "c", "x"), scalar, { maxKeys: 3 }),
  deep: fc.record({ m: fc.record({ k: scalar, l: fc.array(number, { maxLength: 3 }) }), s: word }),
  lm: fc.array(fc.record({ name: word, v: scalar }), { maxLength: 3 }),
});

const fields: Readonly<Record<Kind, readonly string[]>> = {
  int: [".n", "$.n"],
  float: [".n", "$.n"],
  string: [".s", "$.s", ".deep.s", "$.deep.s"],
  bool: [".b", "$.b"],
  list: [".l", ".ls", "$.l", "$.ls", ".lm", ".deep.m.l"],
  dict: [".m", ".deep", "$.m", ".deep.m", "$"],
  any: [
    ".",
    "$",
    ".z",
    ".missing",
    ".m.a",
    ".deep.m.k",
    "$.deep.m.missing",
    ".s.x",
    "$v",
    "$w",
    "nil",
    "$.n",
    ".l",
    "$.ls",
    "$.m",
    ".b",
  ],
  date: ["now"],
};

const quotedText = fc.constantFrom(
  '""',
  '"a"',
  '"foo bar"',
  "`raw\\n`",
  '"\\u00e9\\t"',
  '"a,b,c"',
  '"x"',
  '"%"',
  '"1.5"',
  '"07"',
  '"true"',
  '"/a/../b.txt"',
  '"https://u@h:1/p?q=1#f"',
);
const literals: Readonly<Record<string, fc.Arbitrary<string>>> = {
  int: oneText("0", "1", "2", "-3", "7", "0x1F", "0b11", "1_000", "'a'", "9223372036854775807"),
  small: oneText("0", "1", "2", "3", "-1", "5", "10"),
  float: oneText("1.5", "-0.5", "1e3", "2.0", "1e-7", "0x1p4", "3"),
  string: quotedText,
  bool: oneText("true", "false"),
  list: oneText("(list)", "(list 1 2 3)", '(list "b" "a" "b")', "(until 3)", "(list 1.5 nil true)"),
  dict: oneText("(dict)", '(dict "a" 1)', '(dict "a" "x" "b" (dict "c" 2))'),
  any: fc.oneof(quotedText, oneText("1", "1.5", "true", "nil", "(list)", "(dict)")),
  date: oneText("now", '(toDate "2006-01-02" "2024-03-01")'),
  pattern: oneText('"a+"', '"^f(o+)"', '"[a-z]"', '"(?i)B"', '"\\\\d+"', '"("', '"x|"', '"(?P<n>.)"'),
  version: oneText('"1.2.3"', '"v1.2"', '"1.2.3-beta.1+x"', '"a"'),
  constraint: oneText('">=1.2"', '"~1.2"', '"^1.0.0"', '"1.x || 2.x"', '"1.0 - 2.0"', '"=<2"', '">"'),
  layout: oneText('"2006-01-02"', '"15:04:05"', '"Mon Jan _2 2006 MST"', '".000 PM"', '"02/01/06 -07:00"'),
  zone: oneText('"UTC"', '"nowhere"'),
  duration: oneText('"1h"', '"-90m"', '"x"', '"24h"'),
};

/** A value as an operand: literals, fields, variables, calls in parentheses. */
function operand(kind: string, depth: number): fc.Arbitrary<string> {
  const literal = literals[kind] ?? quotedText;
  const known = kind in fields ? fields[kind as Kind] : [];
  const plain = known.length === 0 ? literal : fc.oneof(literal, oneText(...known));
  if (depth <= 0) return plain;
  const choices = [
    { arbitrary: plain, weight: 4 },
    { arbitrary: text`(${pipeline(kind, depth - 1)})`, weight: 3 },
    { arbitrary: operand("any", 0), weight: kind === "date" ? 0 : 1 },
  ];
  return fc.oneof(...choices);
}

/** A call of a function that gives the kind; with `isPiped` the last argument comes through a pipe. */
function call(kind: string, depth: number, isPiped = false): fc.Arbitrary<string> {
  const fitting = typedFunctions.filter(
    ({ gives }) => kind === "any" || gives === kind || (gives === "any" && kind !== "date"),
  );
  return fc.constantFrom(...fitting).chain(({ name, takes }) => {
    const written = isPiped ? takes.slice(0, -1) : takes;
    const args = written.map((taken) =>
      taken.startsWith("...")
        ? repeated(operand(taken.slice(3), depth), { min: 0, max: 2, between: " " })
        : operand(taken, depth),
    );
    const piped = operand(takes.at(-1)?.replace("...", "") ?? "any", depth).filter((source) => source !== "nil");
    return inOrder([...(isPiped ? [piped, fc.constant("|")] : []), fc.constant(name), ...args], " ").map((source) =>
      source.trimEnd(),
    );
  });
}

const verbs = oneText(
  "%v",
  "%d",
  "%s",
  "%q",
  "%t",
  "%x",
  "%5v|",
  "%-6s|",
  "%05d",
  "%.2f",
  "%+d",
  "%T",
  "%%",
  "%e",
  "%g",
  "%c",
  "%U",
  "%8.3f|",
  "%#v",
  "%[2]v %[1]v",
  "%!",
  "%*d",
);

function printfCall(depth: number): fc.Arbitrary<string> {
  const format = repeated(fc.oneof(verbs, oneText(" ", "a", "ä")), { min: 1, max: 4 });
  return text`printf ${format.map((source) => JSON.stringify(source))} ${repeated(operand("any", depth), { min: 0, max: 3, between: " " })}`;
}

/** A pipeline that ends in a value of the kind, if its functions do not fail. */
function pipeline(kind: string, depth: number): fc.Arbitrary<string> {
  return fc.oneof(
    { arbitrary: call(kind, depth), weight: 5 },
    { arbitrary: operand(kind, depth).filter((source) => source !== "nil"), weight: 2 },
    { arbitrary: printfCall(depth), weight: kind === "string" ? 2 : 0 },
    { arbitrary: call(kind, 0, true), weight: 2 },
    { arbitrary: text`${call("any", 0, true)} | ${call(kind, 0)}`, weight: 1 },
  );
}

const leftMark = fc.oneof({ arbitrary: oneText("{{", "{{ "), weight: 6 }, { arbitrary: oneText("{{- "), weight: 1 });
const rightMark = fc.oneof({ arbitrary: oneText("}}", " }}"), weight: 6 }, { arbitrary: oneText(" -}}"), weight: 1 });
const action = (inner: fc.Arbitrary<string>): fc.Arbitrary<string> => text`${leftMark}${inner}${rightMark}`;
const keyword = (inner: string): fc.Arbitrary<string> => action(fc.constant(inner));

const plainText = oneText("", "a", " ", "\n", "  b \n", "}}", "ä", "{ {", "\t-");

/** Text with actions. `inLoop`: break and continue may stand there. */
function body(depth: number, inLoop: boolean): fc.Arbitrary<string> {
  return repeated(node(depth, inLoop), { min: 0, max: 3 });
}

function node(depth: number, inLoop: boolean): fc.Arbitrary<string> {
  const value = pipeline("any", 1);
  const leaves = [
    { arbitrary: plainText, weight: 3 },
    { arbitrary: action(pipeline("any", 2)), weight: 6 },
    { arbitrary: action(text`$v := ${value}`), weight: 2 },
    { arbitrary: action(text`$v = ${value}`), weight: 1 },
    {
      arbitrary: action(oneText("/* note */", "- /* note */ -", "$.s", ".a.b.c", inLoop ? "break" : ".s", ".l")),
      weight: 1,
    },
    {
      arbitrary: action(text`template ${oneText('"one"', '"two"', '"two"')} ${oneText("", ".", ".m", "1")}`),
      weight: 1,
    },
    { arbitrary: keyword(inLoop ? "continue" : "$"), weight: 1 },
  ];
  if (depth <= 0) return fc.oneof(...leaves);
  const inner = body(depth - 1, inLoop);
  const otherwise = fc.oneof(
    fc.constant(""),
    text`${keyword("else")}${inner}`,
    text`${action(text`else if ${value}`)}${inner}`,
  );
  const otherwiseWith = fc.oneof(
    fc.constant(""),
    text`${keyword("else")}${inner}`,
    text`${action(text`else with ${value}`)}${inner}`,
  );
  const loops = fc.oneof(pipeline("list", 1), pipeline("dict", 1), pipeline("small", 0), value);
  const blocks = [
    { arbitrary: text`${action(text`if ${value}`)}${inner}${otherwise}${keyword("end")}`, weight: 3 },
    { arbitrary: text`${action(text`if $w := ${value}`)}${inner}${otherwise}${keyword("end")}`, weight: 1 },
    { arbitrary: text`${action(text`with ${value}`)}${inner}${otherwiseWith}${keyword("end")}`, weight: 2 },
    { arbitrary: text`${action(text`with $w := ${value}`)}${inner}${keyword("end")}`, weight: 1 },
    {
      arbitrary: text`${action(text`range ${loops}`)}${body(depth - 1, true)}${fc.oneof(fc.constant(""), text`${keyword("else")}${inner}`)}${keyword("end")}`,
      weight: 3,
    },
    { arbitrary: text`${action(text`range $k, $w := ${loops}`)}${body(depth - 1, true)}${keyword("end")}`, weight: 2 },
    { arbitrary: text`${action(text`block "three" ${operand("any", 0)}`)}${inner}${keyword("end")}`, weight: 1 },
  ];
  return fc.oneof(...leaves, ...blocks);
}

const defined = text`{{define "one"}}${body(1, false)}{{end}}{{define "two"}}${body(0, false)}{{end}}`;
const preamble = oneText("{{$v := 1}}{{$w := .}}", "{{$v := .s}}{{$w := list}}", '{{$v := "t"}}{{$w := dict}}');
const whole = text`${fc.oneof({ arbitrary: fc.constant(""), weight: 1 }, { arbitrary: defined, weight: 1 })}${preamble}${body(2, false)}`;

const alphabet = [
  "{",
  "}",
  "{{",
  "}}",
  "(",
  ")",
  '"',
  "`",
  "'",
  "|",
  ".",
  "$",
  ",",
  ":=",
  "=",
  " ",
  "\n",
  "-",
  "0",
  "a",
  "end",
  "else",
  "\\",
  "/*",
  "*/",
  "#",
  "ä",
  "\0",
];

/** Templates of all statements and functions; some with mistakes in their text. */
export const goTemplateCase: fc.Arbitrary<GoTemplateCase> = fc.record({
  template: fc.oneof(
    { arbitrary: whole, weight: 5 },
    { arbitrary: text`${preamble}${action(pipeline("any", 2))}`, weight: 4 },
    { arbitrary: damaged(whole, alphabet), weight: 2 },
  ),
  data: goData,
  missingKey: fc.constantFrom("default", "zero", "error"),
});
