import { describe, expect, it } from "@jest/globals";
import * as fc from "fast-check";
import { countSearches } from "../test/count-searches.ts";
import { parseText } from "./parse-text.ts";

describe("parseText", () => {
  it.each([
    ["a newline", String.raw`{"parse":1,"\n":2}`, ["parse", "\n"]],
    ["a quote", String.raw`{"parse":1,"\"":2}`, ["parse", '"']],
    ["a code point", String.raw`{"parse":1,"\u003c" : 2}`, ["parse", "<"]],
    ["a backslash", String.raw`{"parse":1,"\\":2}`, ["parse", "\\"]],
    ["the end of a key", String.raw`{"parse":1,"a\"\n":2}`, ["parse", 'a"\n']],
  ])("reads %s as a key after a key of one backslash in the same place", (_, text, keys) => {
    parseText(String.raw`{"parse":1,"\\":2}`);
    expect(Object.keys(parseText(text) as object)).toEqual(keys);
  });

  it.each([
    ["a longer key that ends with an escape", "longer", String.raw`k\\`, String.raw`k\n`, "k\n"],
    ["a key with an escape in it", "inside", String.raw`a\\nb`, String.raw`a\nbc`, "a\nbc"],
    ["two escapes", "two", String.raw`\\n`, String.raw`\n\n`, "\n\n"],
    ["an escape by digits", "digits", String.raw`\\u`, String.raw`\u003ca`, "<a"],
    ["the name that such a key got first", "named", String.raw`key-0`, String.raw`\n`, "\n"],
  ])("reads %s after an object with a key that begins with the same characters", (...[, first, known, key, name]) => {
    JSON.parse(`{"${first}":1,"${known}":2}`);
    expect(Object.keys(parseText(`{"${first}":1,"${key}":2}`) as object)).toEqual([first, name]);
  });

  it("reads such keys before a colon behind white space", () => {
    JSON.parse(String.raw`{"spaced":1,"k\\":2}`);
    expect(Object.keys(parseText(String.raw`{"spaced":1,"k\n"` + " \t\r\n:2}") as object)).toEqual(["spaced", "k\n"]);
  });

  it("reads such keys after an object with that key was made in another way", () => {
    const made = { made: 1, "\\": 2 };
    expect(Object.keys(made)).toEqual(["made", "\\"]);
    expect(parseText(String.raw`{"made":1,"\u003c":[{"made":1,"\u003e":{}}]}`)).toEqual({
      made: 1,
      "<": [{ made: 1, ">": {} }],
    });
  });

  it.each([
    ["values", String.raw`{"a":"\n","b":["\"","\\"]}`],
    ["keys in texts", String.raw`"{\"\\n\": 1}"`],
    ["__proto__", String.raw`{"\n":1,"__proto__":{"a":1}}`],
    ["the last of equal keys", String.raw`{"\n":1,"a":2,"\u000a":3}`],
    ["the last of equal keys with and without escapes", String.raw`{"a":1,"\u0061":2,"a":3}`],
    ["a key with the prefix of names", String.raw`{"key-0":1,"\n":2,"\u006bey--0":3}`],
    ["a key of half a character", String.raw`{"\ud800":1,"a\ud83d\ude00":2}`],
    ["numbers as keys first", String.raw`{"\n":1,"7":2}`],
  ])("reads %s as JSON.parse does", (_, text) => {
    expect(JSON.stringify(parseText(text))).toBe(JSON.stringify(JSON.parse(text)));
  });

  it.each(["", "{", String.raw`[1,"a\n`, String.raw`{"\n":1,}`, String.raw`{"\n":1,"\x":2}`, String.raw`{"\u00g0":1}`])(
    "fails at %j in the words of JSON.parse",
    (text) => {
      const messageOf = (parse: (json: string) => unknown): string => {
        try {
          return JSON.stringify(parse(text));
        } catch (error) {
          return String(error);
        }
      };
      const message = messageOf(parseText);
      expect(message).toMatch(/^SyntaxError/);
      expect(message).toBe(messageOf((json) => JSON.parse(json)));
    },
  );

  it("reads a text that repeats the prefix of its names in linear time", () => {
    const text = JSON.stringify({ a: `key${"-".repeat(200_000)}`, "\n": 1 });
    const { value, count } = countSearches(() => parseText(text));
    expect(value).toEqual(JSON.parse(text));
    expect(count).toBeLessThan(100);
  });

  it("returns what JSON.stringify has written", () => {
    const unit = fc.constantFrom("\\", '"', "\n", "a", "n", "u003c", ":", " ", "key-");
    const texts = fc.string({ unit, maxLength: 4 });
    const value = fc.letrec((tie) => ({
      value: fc.oneof({ maxDepth: 3 }, texts, fc.array(tie("value")), fc.dictionary(texts, tie("value"))),
    })).value;
    fc.assert(
      fc.property(value, (data) => {
        expect(parseText(JSON.stringify(data))).toEqual(data);
      }),
    );
  });
});
