import { describe, expect, it } from "@jest/globals";
import * as fc from "fast-check";
import { countSearches } from "../test/count-searches.ts";
import { limitToInt64 } from "./float64.ts";
import { parseFloat64Json, parseInt64Json, parseJson } from "./parse-json.ts";

describe("parseJson", () => {
  it.each<[text: string, value: unknown]>([
    ["9007199254740991", 9_007_199_254_740_991],
    ["-9007199254740991", -9_007_199_254_740_991],
    ["9007199254740992", 9_007_199_254_740_992n],
    ["-9007199254740993", -9_007_199_254_740_993n],
    ["9223372036854775807", 9_223_372_036_854_775_807n],
    ["-9223372036854775808", -9_223_372_036_854_775_808n],
    ["18446744073709551615", 18_446_744_073_709_551_615n],
    ["1000000000000000", 1_000_000_000_000_000],
    ["18446744073709551616", 2 ** 64],
    ["-9223372036854775809", -(2 ** 63)],
    ["1".repeat(400), Infinity],
    ["9007199254740993.0", 9_007_199_254_740_992],
    ["9007199254740993e0", 9_007_199_254_740_992],
    ["0.12345678901234567890", 0.123_456_789_012_345_68],
    ["1e-1234567890123456789", 0],
  ])("reads %s", (text, value) => {
    expect(parseJson(text)).toBe(value);
    expect(parseJson(` ${text} `)).toBe(value);
    expect(parseJson(` [ ${text}\n, {"a": ${text}}]`)).toEqual([value, { a: value }]);
  });

  it.each<[name: string, text: string, value: unknown]>([
    [
      "digits in texts and keys",
      '{"9007199254740993":"a 9007199254740993","b":9007199254740993}',
      { "9007199254740993": "a 9007199254740993", b: 9_007_199_254_740_993n },
    ],
    [
      "quotes in texts",
      String.raw`{"a\"":"\" 9007199254740993","b":9007199254740993}`,
      { 'a"': '" 9007199254740993', b: 9_007_199_254_740_993n },
    ],
    [
      "texts that look like lists of numbers",
      '["a, 9007199254740993, b",9007199254740993]',
      ["a, 9007199254740993, b", 9_007_199_254_740_993n],
    ],
    ["texts that look so alone", '{"a":"[9007199254740993]"}', { a: "[9007199254740993]" }],
    ["a fraction", "[0.9007199254740993,9007199254740993]", [0.900_719_925_474_099_3, 9_007_199_254_740_993n]],
    [
      "the integer of a fraction",
      "[9007199254740993.5,9007199254740993]",
      [9_007_199_254_740_994, 9_007_199_254_740_993n],
    ],
    ["null", "[null,9007199254740993]", [null, 9_007_199_254_740_993n]],
    ["the last of equal keys", '{"a":9007199254740993,"a":1}', { a: 1 }],
    [
      "a character that marks integers",
      '{"\u007f":"\u007f0","b":9007199254740993}',
      { "\u007f": "\u007f0", b: 9_007_199_254_740_993n },
    ],
    [
      "such a character with escapes",
      String.raw`["\u007f0","\u007f\u007f0",9007199254740993]`,
      ["\u007f0", "\u007f\u007f0", 9_007_199_254_740_993n],
    ],
  ])("keeps %s beside a large integer", (_, text, value) => {
    expect(parseJson(text)).toEqual(value);
  });

  it("keeps __proto__ as a key beside a large integer and with one", () => {
    const value = parseJson('{"__proto__":9007199254740993,"a":{"__proto__":{"b":9007199254740993}}}');
    expect(JSON.stringify(value)).toBe('{"__proto__":9007199254740993,"a":{"__proto__":{"b":9007199254740993}}}');
  });

  it.each([
    "[9007199254740993",
    "{9007199254740993:1}",
    "09007199254740993",
    "[--9007199254740993]",
    "[9007199254740993 9007199254740993]",
    '{"a":9007199254740993,}',
    "9007199254740993x",
    '"9007199254740993',
    '[",9007199254740993',
  ])("fails at %j in the words of JSON.parse", (text) => {
    const messageOf = (parse: (json: string) => unknown): string => {
      try {
        return JSON.stringify(parse(text));
      } catch (error) {
        return String(error);
      }
    };
    expect(messageOf(parseJson)).toMatch(/^SyntaxError/);
    expect(messageOf(parseJson)).toBe(messageOf((json) => JSON.parse(json)));
  });

  it("reads deep nesting around a large integer", () => {
    const text = `${"[".repeat(100_000)}9007199254740993${"]".repeat(100_000)}`;
    let value: unknown = parseJson(text);
    while (Array.isArray(value)) [value] = value;
    expect(value).toBe(9_007_199_254_740_993n);
  });

  it("reads a text that repeats the character of its marks in linear time", () => {
    const data = { a: "\u007f".repeat(100_000), b: 9_007_199_254_740_993n };
    const text = JSON.stringify(data);
    const { value, count } = countSearches(() => parseJson(text));
    expect(value).toEqual(data);
    expect(count).toBeLessThan(100);
  });

  it("returns what JSON.stringify has written", () => {
    const integers = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 64n - 1n });
    const wide = integers.filter((value) => !Number.isSafeInteger(Number(value)));
    const value = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        wide,
        fc.maxSafeInteger(),
        fc.string({ unit: fc.constantFrom('"', "\\", "9007199254740993", ":", ",", "\u007f") }),
        fc.array(tie("value")),
        fc.dictionary(fc.string(), tie("value")),
      ),
    })).value;
    fc.assert(
      fc.property(value, fc.constantFrom(undefined, 2), (data, indent) => {
        expect(parseJson(JSON.stringify(data, undefined, indent))).toEqual(data);
      }),
    );
  });
});

describe("parseFloat64Json", () => {
  it("reads large integers as float64", () => {
    expect(parseFloat64Json('{"a":[9223372036854775807,9007199254740993]}')).toEqual({ a: [2 ** 63, 2 ** 53] });
  });
});

describe("JSON.stringify", () => {
  it("prints each bigint as digits wherever it is", () => {
    const value = { a: 9_223_372_036_854_775_807n, b: [-(2n ** 63n), { c: 2n ** 64n - 1n }], d: 1 };
    expect(JSON.stringify(value)).toBe(
      '{"a":9223372036854775807,"b":[-9223372036854775808,{"c":18446744073709551615}],"d":1}',
    );
    expect(JSON.stringify(9_007_199_254_740_993n)).toBe("9007199254740993");
  });
});

describe("texts of attackers", () => {
  // Each took seconds to minutes, or a gigabyte, when a mark grew with the text or a quote was searched again for each integer.
  it.each<[name: string, text: string]>([
    ["marks and many integers", `["${"\u007f".repeat(30_000)}"${",9007199254740993".repeat(20_000)}]`],
    ["integers without a further string", `[", 9007199254740993,"${",9007199254740993".repeat(200_000)}]`],
    ["a key with an escape beside many dashes", `{"a\\nb":9007199254740993,"x":"key-${"-".repeat(300_000)}"}`],
  ])("reads %s", (_, text) => {
    expect(JSON.stringify(parseJson(text))).toBe(text);
  });

  it("refuses an unclosed list of integers", () => {
    expect(() => parseJson(`[1${",9007199254740993".repeat(200_000)}`)).toThrow(SyntaxError);
  });

  it("reads a deeply nested value beside a key with an escape", () => {
    const text = `[${"[".repeat(20_000)}${"]".repeat(20_000)},{"x\\ny":1}]`;
    const value = parseJson(text) as readonly unknown[];
    expect(value[1]).toEqual({ "x\ny": 1 });
  });
});

describe("parseInt64Json", () => {
  it.each<[text: string, value: unknown]>([
    ["9007199254740991", 9_007_199_254_740_991],
    ["9007199254740993", 9_007_199_254_740_993n],
    ["9223372036854775807", 9_223_372_036_854_775_807n],
    ["9223372036854775808", 2 ** 63],
    ["18446744073709551615", 2 ** 64],
    ["-9223372036854775808", -9_223_372_036_854_775_808n],
    ["9007199254740993.0", 9_007_199_254_740_992],
  ])("reads %s", (text, value) => {
    expect(parseInt64Json(text)).toBe(value);
    expect(parseInt64Json(`{"a":[${text}],"b":"[${text}]"}`)).toEqual({ a: [value], b: `[${text}]` });
  });

  it("reads what parseJson reads, with the limit of limitToInt64", () => {
    const integer = fc.bigInt({ min: -(2n ** 66n), max: 2n ** 66n }).map(String);
    const text = fc.oneof(integer, fc.double({ noNaN: true, noDefaultInfinity: true }).map(String), fc.json());
    fc.assert(
      fc.property(fc.array(text), (items) => {
        const list = `[${items.join(",")}]`;
        expect(parseInt64Json(list)).toEqual(limitToInt64(parseJson(list)));
      }),
    );
  });
});
