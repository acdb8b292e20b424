import { describe, expect, it } from "@jest/globals";
import * as fc from "fast-check";
import { fromGoJson, JsonError, readGoJson } from "./from-go-json.ts";

/** Texts that encoding/json refuses, with its words. */
const errors: readonly (readonly [text: string, message: string])[] = [
  ["", "unexpected end of JSON input"],
  [" ", "unexpected end of JSON input"],
  ["{", "unexpected end of JSON input"],
  ['{"a', "unexpected end of JSON input"],
  ['{"a":', "unexpected end of JSON input"],
  ['{"a":1', "unexpected end of JSON input"],
  ["[1", "unexpected end of JSON input"],
  ['{"a":1 x', "invalid character 'x' after object key:value pair"],
  ["{a:1}", "invalid character 'a' looking for beginning of object key string"],
  ["{'a':1}", String.raw`invalid character '\'' looking for beginning of object key string`],
  ['{"a":1,}', "invalid character '}' looking for beginning of object key string"],
  ['{"a" 1}', "invalid character '1' after object key"],
  ["[1,]", "invalid character ']' looking for beginning of value"],
  ["[1 2]", "invalid character '2' after array element"],
  ["tru", "invalid character ' ' in literal true (expecting 'e')"],
  ['{"a":tru}', "invalid character '}' in literal true (expecting 'e')"],
  ["nulL", "invalid character 'L' in literal null (expecting 'l')"],
  ["falsy", "invalid character 'y' in literal false (expecting 'e')"],
  ["-", "invalid character ' ' in numeric literal"],
  ["01", "invalid character '1' after top-level value"],
  ["1.x", "invalid character 'x' after decimal point in numeric literal"],
  ["1e+", "invalid character ' ' in exponent of numeric literal"],
  ['"abc', "unexpected end of JSON input"],
  ['"a\nb"', String.raw`invalid character '\n' in string literal`],
  [String.raw`"\x"`, "invalid character 'x' in string escape code"],
  [String.raw`"\u12G4"`, String.raw`invalid character 'G' in \u hexadecimal character escape`],
  [String.raw`"\u12`, String.raw`invalid character ' ' in \u hexadecimal character escape`],
  ["ä", "invalid character 'Ã' looking for beginning of value"],
  ["\u0001", String.raw`invalid character '\x01' looking for beginning of value`],
  ["\\", String.raw`invalid character '\\' looking for beginning of value`],
  ["{}}", "invalid character '}' after top-level value"],
  ["[1e999]", "json: cannot unmarshal number 1e999 into Go value of type float64"],
];

describe("fromGoJson", () => {
  it.each(errors)("refuses %j in Go's words", (text, message) => {
    expect(() => fromGoJson(text)).toThrow(new JsonError(message));
  });

  it.each<[string, unknown]>([
    ['{"a":1,"a":2}', { a: 2 }],
    ["[1, 2.5, -0, 1e3]", [1, 2.5, -0, 1000]],
    [String.raw`"\ud800x\ud83d\ude00"`, "\ufffdx😀"],
    [' \t\r\n"x" ', "x"],
    ["null", null],
  ])("reads %j", (text, value) => {
    expect(fromGoJson(text)).toEqual(value);
  });

  it("reads what was written, and names a place of every cut text", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), fc.nat(), (value, cut) => {
        const text = JSON.stringify(value);
        expect(fromGoJson(text)).toEqual(JSON.parse(text));
        const part = text.slice(0, cut % text.length);
        try {
          expect(fromGoJson(part)).toEqual(JSON.parse(part));
        } catch (error) {
          expect(error).toBeInstanceOf(JsonError);
          expect(String(error)).not.toContain("invalid JSON");
        }
      }),
      { numRuns: 300, seed: 6 },
    );
  });
});

describe("readGoJson", () => {
  it.each<[string, unknown]>([
    ['{"a":1},b=2', { value: { a: 1 }, end: 7 }],
    [" 12x", { value: 12, end: 3 }],
    ['"a\\ud800"b', { value: "a\ufffd", end: 9 }],
    ["true ", { value: true, end: 4 }],
    [" \n", undefined],
  ])("reads the first value of %j", (text, first) => {
    expect(readGoJson(text)).toEqual(first);
  });

  it.each([
    ["tru", "unexpected EOF"],
    ["[1,", "unexpected EOF"],
    ['"a', "unexpected EOF"],
    ["x", "invalid character 'x' looking for beginning of value"],
    ["[1}", "invalid character '}' after array element"],
    ["1e400,", "json: cannot unmarshal number 1e400 into Go value of type float64"],
  ])("refuses %j in Go's words", (text, message) => {
    expect(() => readGoJson(text)).toThrow(new JsonError(message));
  });
});
