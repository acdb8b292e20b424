import { describe, expect, it } from "@jest/globals";
import { createCelEnvironment } from "./cel-environment.ts";
import { describeEvaluationError, isCelError } from "./cel-messages.ts";
import { CelCompileError, compileExpression } from "./compile-expression.ts";

const environment = createCelEnvironment().registerVariable("x", "dyn").registerVariable("s", "string");

function evaluate(expression: string, x: unknown = null): unknown {
  try {
    return compileExpression(environment, expression).evaluate({ x, s: "text" });
  } catch (error) {
    if (isCelError(error)) {
      return `error: ${describeEvaluationError(error)}`;
    }
    throw error;
  }
}

function compileErrorOf(expression: string): string {
  try {
    compileExpression(environment, expression);
  } catch (error) {
    if (error instanceof CelCompileError) {
      return error.message;
    }
    throw error;
  }
  throw new Error("compiled");
}

describe("compileExpression", () => {
  const values: [string, unknown][] = [
    ["'abc'.matches('^a.c$')", true],
    ["'abc'.matches('b')", true],
    ["'ABCäÖ'.lowerAscii()", "abcäÖ"],
    ["'abcäÖ'.upperAscii()", "ABCäÖ"],
    ["'abc'.charAt(1) + 'abc'.charAt(3)", "b"],
    ["'abc'.charAt(4)", "error: index out of range: 4"],
    ["'aXbXc'.replace('X', '-')", "a-b-c"],
    ["'aXbXc'.replace('X', '-', 1)", "a-bXc"],
    ["'aXbXc'.replace('X', '-', 0)", "aXbXc"],
    ["'aXbXc'.replace('X', '-', -1)", "a-b-c"],
    ["'aXbXc'.replace('X', '-', 9)", "a-b-c"],
    ["'abc'.reverse()", "cba"],
    ["'a1b22'.find('[0-9]+')", "1"],
    ["'ab'.find('[0-9]+')", ""],
    ["'a1b22'.findAll('[0-9]+')", ["1", "22"]],
    ["'a1b22'.findAll('[0-9]+', 1)", ["1"]],
    ["'a1b22'.findAll('[0-9]+', 0)", []],
    ["'x'.matches(s + '(')", "error: error parsing regexp: missing closing ): `text(`"],
    ["' a '.trim()", "a"],
    ["'a,b'.split(',')", ["a", "b"]],
    ["['a', 'b'].join('-')", "a-b"],
    ["'abc'.indexOf('c') == 2 && 'abcabc'.lastIndexOf('c') == 5", true],
    ["'abc'.substring(1) + 'abc'.substring(0, 1)", "bca"],
    ["[1, 2].sum()", 3n],
    ["[9223372036854775807, 1].sum()", "error: integer overflow: 9223372036854775808"],
    ["[1.5, 2.5].sum()", 4],
    ["[3, 1, 2].min() == 1 && [3, 1, 2].max() == 3", true],
    ["['b', 'a'].min()", "a"],
    ["[1].filter(i, i > 1).max()", "error: max called on empty list"],
    ["[1, 2, 2].isSorted() && ![2, 1].isSorted() && ['a'].isSorted()", true],
    ["[1, 2, 1].indexOf(1) == 0 && [1, 2, 1].lastIndexOf(1) == 2 && [1].indexOf(5) == -1", true],
    ["[[1], [2]].indexOf([2])", 1n],
    ["sets.contains([1, 2], [2]) && !sets.contains([1], [2])", true],
    ["sets.equivalent([1, 2], [2, 1, 1]) && !sets.equivalent([1], [2])", true],
    ["sets.intersects([1, 2], [2, 3]) && !sets.intersects([1], [2])", true],
    ["has(x.a) && !has(x.b)", true],
    ["has(x.list[0].a) && !has(x.list[0].b)", true],
    ["has({'a': 1}.a)", true],
    ["x.?b.?c.orValue('none')", "none"],
    ["x.?a.orValue('none')", "v"],
    ["has(x.a.b)", "error: no such overload"],
    ["x.b", "error: no such key: b"],
    ["x.list[3]", "error: index out of bounds: 3"],
    ["x.a + 1", "error: no such overload"],
    ["1 / 0", "error: division by zero"],
    ["1 % 0", "error: modulus by zero"],
    ["x.a == 'v' || x.b == 1", true],
    ["x == null", false],
    ["type(x.a) == string", true],
  ];
  for (const [expression, want] of values) {
    it(`evaluates ${expression}`, () => {
      expect(evaluate(expression, { a: "v", list: [{ a: 1n }] })).toEqual(want);
    });
  }

  it("tells the type of an expression", () => {
    const types = ["1 == 1", "s", "[1]", "x.a", "s + x.a", "{'a': 1.5}"].map(
      (expression) => compileExpression(environment, expression).type,
    );
    expect(types).toEqual(["bool", "string", "list<int>", "dyn", "string", "map<string, double>"]);
  });

  const errors: [string, string][] = [
    ["s ==", "ERROR: <input>:1:5: Syntax error: Unexpected token: EOF\n | s ==\n | ....^"],
    ["s == 'x", "ERROR: <input>:1:6: Syntax error: Unterminated string\n | s == 'x\n | .....^"],
    ["s +\n\t5", "ERROR: <input>:1:3: found no matching overload for '_+_' applied to '(string, int)'\n | s +\n | ..^"],
    ["s == 'a' &&\n\tnope", "ERROR: <input>:2:2: undeclared reference to 'nope' (in container '')\n |  nope\n | .^"],
    [
      "s.size(1)",
      "ERROR: <input>:1:7: found no matching overload for 'size' applied to 'string.(int)'\n | s.size(1)\n | ......^",
    ],
    [
      "s.matches(5)",
      "ERROR: <input>:1:10: found no matching overload for 'matches' applied to 'string.(int)'\n | s.matches(5)\n | .........^",
    ],
    ["has(s)", "ERROR: <input>:1:5: invalid argument to has() macro\n | has(s)\n | ....^"],
    ["'a'.matches('[')", "ERROR: <input>:1:13: invalid matches argument\n | 'a'.matches('[')\n | ............^"],
    ["s.a == 1", "ERROR: <input>:1:2: type 'string' does not support field selection\n | s.a == 1\n | .^"],
    ["-s == 'x'", "ERROR: <input>:1:1: found no matching overload for '-_' applied to '(string)'\n | -s == 'x'\n | ^"],
    ["true && s", "ERROR: <input>:1:9: expected type 'bool' but found 'string'\n | true && s\n | ........^"],
  ];
  for (const [expression, want] of errors) {
    it(`refuses ${JSON.stringify(expression)}`, () => {
      expect(compileErrorOf(expression)).toBe(want);
    });
  }

  it("takes linear time for hostile patterns", () => {
    const started = process.cpuUsage().user;
    expect(evaluate("x.matches('^(a+)+$')", `${"a".repeat(20_000)}b`)).toBe(false);
    expect(process.cpuUsage().user - started).toBeLessThan(2_000_000);
  });
});
