import { describe, expect, it } from "@jest/globals";
import { goJson } from "./go-json.ts";

describe("goJson", () => {
  it.each([
    [null, "null"],
    [undefined, "null"],
    [true, "true"],
    [0, "0"],
    [-0, "-0"],
    [1.5, "1.5"],
    [1e6, "1000000"],
    [123456789.125, "123456789.125"],
    [1e20, "100000000000000000000"],
    [1e21, "1e+21"],
    [-1.5e300, "-1.5e+300"],
    [1e-6, "0.000001"],
    [1e-7, "1e-7"],
    [1.25e-10, "1.25e-10"],
    [5e-324, "5e-324"],
    [12345678901234567890n, "12345678901234567890"],
    ["", '""'],
    ['a"b\\c/d', '"a\\"b\\\\c/d"'],
    ["\b\f\n\r\t\u0001\u001f\u007f", '"\\b\\f\\n\\r\\t\\u0001\\u001f\u007f"'],
    ["<a href='x'>&</a>", "\"\\u003ca href='x'\\u003e\\u0026\\u003c/a\\u003e\""],
    ["\u2028\u2029é😀", '"\\u2028\\u2029é😀"'],
    ["a\ud800b", '"a\\ufffdb"'],
    [[], "[]"],
    [{}, "{}"],
    [[1, [2, []], {}], "[1,[2,[]],{}]"],
    [{ b: 1, a: 2, A: 3, é: 4, "10": 5, "9": 6 }, '{"10":5,"9":6,"A":3,"a":2,"b":1,"é":4}'],
    [
      new Map<string, unknown>([
        ["z", 1],
        ["a", null],
      ]),
      '{"a":null,"z":1}',
    ],
    [Uint8Array.from([1, 2, 255]), '"AQL/"'],
    [{ a: undefined }, "{}"],
  ])("writes %j as encoding/json does", (value, text) => {
    expect(goJson(value)).toBe(text);
  });

  it("sorts keys by their bytes, where characters beyond the first plane come last", () => {
    expect(goJson({ "\u{1f600}": 1, "\uffee": 2, z: 3 })).toBe('{"z":3,"\uffee":2,"\u{1f600}":1}');
  });

  it("leaves <, > and & as they are if asked to", () => {
    expect(goJson("<&>", { escapeHtml: false })).toBe('"<&>"');
    expect(goJson({ "<": "&\u2028" }, { escapeHtml: false })).toBe('{"<":"&\\u2028"}');
  });

  it("indents as json.MarshalIndent does", () => {
    expect(goJson({ a: [1, { b: [] }], c: {} }, { indent: "  " })).toBe(
      '{\n  "a": [\n    1,\n    {\n      "b": []\n    }\n  ],\n  "c": {}\n}',
    );
  });

  it.each([
    [Number.NaN, "json: unsupported value: NaN"],
    [Number.POSITIVE_INFINITY, "json: unsupported value: +Inf"],
  ])("refuses %d", (value, message) => {
    expect(() => goJson([value])).toThrow(new RangeError(message));
  });
});
