import { describe, expect, it } from "@jest/globals";
import { printValue, quoteGo } from "./go-text.ts";

describe("quoteGo", () => {
  const cases: [string, string][] = [
    ["plain", '"plain"'],
    ['a"b\\c', '"a\\"b\\\\c"'],
    ["\u0007\b\f\n\r\t\v", '"\\a\\b\\f\\n\\r\\t\\v"'],
    ["\u0000\u001f\u007f", '"\\x00\\x1f\\x7f"'],
    ["äöü 日本 😀", '"äöü 日本 😀"'],
    ["\u00a0\u200b\u2028", '"\\u00a0\\u200b\\u2028"'],
    ["\u{e0001}", '"\\U000e0001"'],
    ["<a&b>", '"<a&b>"'],
  ];
  for (const [text, want] of cases) {
    it(`quotes ${JSON.stringify(text)}`, () => {
      expect(quoteGo(text)).toBe(want);
    });
  }
});

describe("printValue", () => {
  const cases: [unknown, string][] = [
    ["a", '"a"'],
    [5, "5"],
    [1.5, "1.5"],
    [0.00001, "1e-05"],
    [1e21, "1e+21"],
    [true, "true"],
    [null, "null"],
    [undefined, "null"],
    [{ b: 1, a: "<" }, '{"a":"\\u003c","b":1}'],
    [[1, "x"], '[1,"x"]'],
  ];
  for (const [value, want] of cases) {
    it(`prints ${want}`, () => {
      expect(printValue(value)).toBe(want);
    });
  }
});
