import { describe, expect, it } from "@jest/globals";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { builtins } from "./builtins/builtins.ts";
import { sprigFunctions } from "./sprig/sprig-functions.ts";
import { goldenFiles, readGolden } from "../test/index.ts";

/** Cases that each row of a table needs at least. */
const wanted = 3;

const cases = goldenFiles().flatMap(readGolden);
const templates = cases.map(({ template }) => template);
/** The actions of the templates without what stands in string literals, so that words are names. */
const actions = templates.map((template) => template.replace(/"(?:[^"\\\n]|\\.)*"|`[^`]*`/g, '""'));

const failures = cases.map(({ error = "" }) => error).filter((error) => error !== "");

function rowsWithout(rows: Iterable<string>, count: (row: string) => number): string[] {
  return [...rows].filter((row) => count(row) < wanted).map((row) => `${row}: ${count(row)} of ${wanted} cases`);
}

function countMatches(texts: readonly string[], pattern: RegExp): number {
  return texts.filter((text) => pattern.test(text)).length;
}

const left = String.raw`\{\{-?\s*`;

/** What can be written in a template, by a pattern that its cases match. */
const grammar: Readonly<Record<string, RegExp>> = {
  "text alone": /^[^{]*$/,
  action: /^\{\{[^{}]*\}\}$/,
  "action over several lines": /\{\{[^{}]*\n[^{}]*\}\}/,
  "trim to the left": /\{\{- /,
  "trim to the right": / -\}\}/,
  "trim marker without a space": /\{\{-[^\s]|[^\s]-\}\}/,
  comment: /\{\{\/\*[\s\S]*?\*\/\}\}/,
  "comment that trims": /\{\{- \/\*|\*\/ -\}\}/,
  pipeline: /\{\{[^{}]*\|[^{}]*\}\}/,
  "pipeline of three": /\{\{[^{}]*\|[^{}]*\|[^{}]*\}\}/,
  parentheses: /\(\S/,
  "nested parentheses": /\([^()]*\([^()]*\)/,
  "chain behind parentheses": /\)\.[a-zA-Z]/,
  dot: /\{\{-?\s*\.\s*-?\}\}/,
  field: /\{\{-?\s*\.[a-z]+\s*-?\}\}/,
  "chain of fields": /\.[a-z]+\.[a-z]+\.[a-z]+/,
  dollar: /\$\s/,
  "field of dollar": /\$\.[a-z]/,
  variable: /\$[a-z]\w*/,
  declaration: /\$[a-z]\w* :=/,
  assignment: /\$[a-z]\w* = /,
  "field of a variable": /\$[a-z]\w*\.[a-z]/,
  method: /\.(Format|Year|Major|IncMinor)/,
  if: new RegExp(`${left}if `),
  "if else": new RegExp(`${left}if [\\s\\S]*${left}else`),
  "else if": /else if /,
  "declaration in if": /\{\{-?\s*if \$\w+ :=/,
  with: new RegExp(`${left}with `),
  "else with": /else with /,
  "declaration in with": /\{\{-?\s*with \$\w+ :=/,
  range: new RegExp(`${left}range `),
  "range with an element": /range \$\w+ :=/,
  "range with index and element": /range \$\w+, \$\w+ :=/,
  "range that assigns": /range \$\w+(, \$\w+)? = /,
  "range else": new RegExp(`${left}range [\\s\\S]*${left}else`),
  "range over a list": /range[^}]* \.list/,
  "range over a map": /range[^}]* \.map/,
  "range over an integer": /range (\$\w+ := )?\(?(int64 )?[0-9]+\)?\s*-?\}\}/,
  "range over nothing": /range[^}]* \.(none|nothing|missing)/,
  "range over what cannot be": /range[^}]*("str"|2\.5)/,
  break: /\{\{-?\s*break\s*-?\}\}/,
  continue: /\{\{-?\s*continue\s*-?\}\}/,
  define: new RegExp(`${left}define `),
  template: new RegExp(`${left}template "[^"]*"\\s*-?\\}\\}`),
  "template with data": new RegExp(`${left}template "[^"]*" [^\\s}]`),
  block: new RegExp(`${left}block `),
  nil: /\bnil\b/,
  bool: /\btrue\b|\bfalse\b/,
  integer: /[ (][0-9]+\b/,
  "negative integer": /[ (]-[0-9]+\b/,
  "hexadecimal integer": /0[xX][0-9a-fA-F]+/,
  "octal integer": /\b0o?[0-7]+\b/,
  "binary integer": /\b0b[01]+/,
  "integer with underscores": /[0-9]_[0-9]/,
  float: /[0-9]\.[0-9]/,
  "float with an exponent": /[0-9][eE][-+]?[0-9]/,
  "hexadecimal float": /0x[0-9a-f.]+p/,
  complex: /[0-9]i\b/,
  character: /'(?:[^'\\]|\\.+)'/,
  string: /"[^"]*"/,
  "string with escapes": /"[^"]*\\[nrtx u"\\][^"]*"/,
  "raw string": /`[^`]*`/,
};

/** What a mistake in a template is called, by Go's words. */
const mistakes: Readonly<Record<string, RegExp>> = {
  "unclosed action": /unclosed action/,
  "unexpected end of file": /unexpected EOF/,
  "unexpected token": /unexpected .* in (command|operand|input|define clause)/,
  "empty pipeline": /missing value for (command|if|range|with)/,
  "unknown function": /function ".*" not defined/,
  "unknown variable": /undefined variable/,
  "unterminated string": /unterminated (quoted|raw)/,
  "bad number": /bad number syntax|illegal number syntax|integer overflow/,
  "bad character": /bad character|malformed character constant/,
  "unknown template": /template ".*" not defined/,
  "missing key": /map has no entry for key/,
  "nil data": /nil pointer evaluating|nil data; no entry/,
  "field of no struct": /can't evaluate field/,
  "wrong type": /wrong type for value; expected/,
  "wrong kind of literal": /expected (integer|string|float|bool|unsigned integer); found/,
  "wrong count of arguments": /wrong number of args/,
  "argument for a value": /can't give argument to non-function/,
  "error of a function": /error calling/,
  "incomparable types": /incompatible types for comparison/,
  "index out of range": /out of range/,
};

const formats = templates.flatMap((template) =>
  [...template.matchAll(/printf "((?:[^"\\]|\\.)*)"/g)].map(([, format = ""]) => format),
);
const directives = formats.flatMap((format) => [
  ...format.matchAll(/%([-+# 0]*)(\*|\d+)?(\.(\*|\d*))?(\[\d+\])?(.)/gu),
]);

describe("every row of the tables has cases", () => {
  it("functions", () => {
    const functions = new Set([...Object.keys(builtins), ...Object.keys(sprigFunctions)]);
    const missing = rowsWithout(functions, (name) => countMatches(actions, new RegExp(`(?<![\\w.$"])${name}(?!\\w)`)));
    expect(missing).toEqual([]);
  });

  it("grammar", () => {
    expect(rowsWithout(Object.keys(grammar), (row) => countMatches(templates, grammar[row] ?? /^$/))).toEqual([]);
  });

  it("mistakes", () => {
    expect(rowsWithout(Object.keys(mistakes), (row) => countMatches(failures, mistakes[row] ?? /^$/))).toEqual([]);
  });

  it("delimiters", () => {
    expect(cases.filter(({ delimiters }) => delimiters !== undefined).length).toBeGreaterThanOrEqual(wanted);
  });

  it("missing keys", () => {
    const count = (mode: string): number => cases.filter(({ missingKey = "zero" }) => missingKey === mode).length;
    expect(rowsWithout(["default", "zero", "error"], count)).toEqual([]);
  });

  it("verbs of printf", () => {
    const verbs = "vTtbcdoOqxXUeEfFgGspw%";
    expect(rowsWithout(verbs, (verb) => directives.filter(([, , , , , , used]) => used === verb).length)).toEqual([]);
  });

  it("flags of printf", () => {
    const uses: Readonly<Record<string, (directive: RegExpExecArray) => boolean>> = {
      "+": ([, flags = ""]) => flags.includes("+"),
      "-": ([, flags = ""]) => flags.includes("-"),
      "#": ([, flags = ""]) => flags.includes("#"),
      space: ([, flags = ""]) => flags.includes(" "),
      "0": ([, flags = ""]) => flags.includes("0"),
      width: ([, , width]) => width !== undefined && width !== "*",
      "width as argument": ([, , width]) => width === "*",
      precision: ([, , , , precision]) => precision !== undefined && precision !== "*",
      "precision as argument": ([, , , , precision]) => precision === "*",
      "argument number": ([, , , , , number]) => number !== undefined,
    };
    const count = (row: string): number => directives.filter((each) => uses[row]?.(each) === true).length;
    expect(rowsWithout(Object.keys(uses), count)).toEqual([]);
  });

  it("functions in the README", () => {
    const readme = readFileSync(join(import.meta.dirname, "../README.md"), "utf8");
    const words = new Set(readme.match(/\w+/g));
    const plain = (name: string): string => name.replace(/^must_?(.)/, (_, letter: string) => letter.toLowerCase());
    const names = [...Object.keys(builtins), ...Object.keys(sprigFunctions)];
    expect(names.filter((name) => !words.has(name) && !words.has(plain(name)))).toEqual([]);
  });

  it("are fifteen hundred at least", () => {
    expect(cases.length).toBeGreaterThan(1500);
  });
});
