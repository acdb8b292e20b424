import { describe, expect, it } from "@jest/globals";
import * as fc from "fast-check";
import { parse, stringify } from "yaml";
import { forbiddenIn, hostile, isForbidden, shown } from "../../test/hostile.ts";
import { cleanLine, cleanText, escapeJson, hasUnsafe } from "./clean-text.ts";
import { escapeYaml } from "./escape-yaml.ts";

/** Arbitrary text with many unsafe characters. */
const anyText = fc
  .array(
    fc.oneof(
      fc.string({ unit: "binary" }),
      fc.string({ unit: "grapheme" }),
      fc.constantFrom(...Array.from("\n\t\r\u001B\u009B\u061C\u200B\u200D\u202E\u2028\u2066\uFEFF\u{E0041}<>U+\\x1b")),
      fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
    ),
  )
  .map((parts) => parts.join(""));

/** Notation of a forbidden character. */
const notation = /^(?:\\x[0-9a-f]{2}|<U\+[0-9A-F]{4,5}>)/;

describe("cleanText", () => {
  it.each([
    ["the hostile text", hostile, shown],
    ["C0 and C1", "\u0000\u001F\u007F\u0080\u009F", String.raw`\x00\x1f\x7f\x80\x9f`],
    ["a carriage return, but not newline and tab", "a\r\nb\tc", "a\\x0d\nb\tc"],
    ["overrides", "\u202A\u202B\u202C\u202D\u202E", "<U+202A><U+202B><U+202C><U+202D><U+202E>"],
    ["isolates and marks", "\u2066\u2067\u2068\u2069\u200E\u061C", "<U+2066><U+2067><U+2068><U+2069><U+200E><U+061C>"],
    ["zero width", "\u200B\u200C\u200D\u2060\uFEFF\u00AD", "<U+200B><U+200C><U+200D><U+2060><U+FEFF><U+00AD>"],
    ["separators and tags", "\u2028\u2029\u{E0041}", "<U+2028><U+2029><U+E0041>"],
    ["visible text unchanged", "Grüße, 世界, ─└ 🙂 \\x1b é", "Grüße, 世界, ─└ 🙂 \\x1b é"],
  ])("shows %s", (_what, text, expected) => expect(cleanText(text)).toBe(expected));

  it("replaces every forbidden character of any text, and keeps every other character", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const cleaned = cleanText(text);
        expect(forbiddenIn(cleaned)).toEqual([]);
        let rest = cleaned;
        const kept = Array.from(text).every((character) => {
          const shownAs = isForbidden(character) ? (notation.exec(rest)?.[0] ?? "nothing") : character;
          const isNext = rest.startsWith(shownAs);
          rest = rest.slice(shownAs.length);
          return isNext;
        });
        expect({ kept, rest }).toEqual({ kept: true, rest: "" });
        expect(cleanText(cleaned)).toBe(cleaned);
        expect(hasUnsafe(text)).toBe(cleaned !== text);
      }),
      { numRuns: 300 },
    );
  });
});

it("cleanLine also replaces newlines and tabs", () => {
  expect(cleanLine("a\nb\tc\u001B")).toBe(String.raw`a\x0ab\x09c\x1b`);
});

it("escapeJson replaces every forbidden character of JSON, and keeps its value", () => {
  fc.assert(
    fc.property(anyText, anyText, (key, value) => {
      const document = { [key]: [value], other: `${value}\u202E` };
      const escaped = escapeJson(JSON.stringify(document, undefined, 2));
      expect(forbiddenIn(escaped)).toEqual([]);
      expect(JSON.parse(escaped)).toEqual(document);
    }),
    { numRuns: 200 },
  );
});

it("escapeYaml replaces every forbidden character of YAML, and keeps its value", () => {
  fc.assert(
    fc.property(
      anyText.map((text) => text.toWellFormed()),
      (value) => {
        const document = { plain: "x", list: [value, { [`key ${value}`]: `${value}\u202E` }], last: 1 };
        const escaped = escapeYaml(stringify(document));
        expect(forbiddenIn(escaped)).toEqual([]);
        expect(parse(escaped)).toEqual(document);
      },
    ),
    { numRuns: 200 },
  );
});

it("escapeYaml keeps YAML without unsafe characters unchanged", () => {
  const text = "# a comment\na:   'b'\n";
  expect(escapeYaml(text)).toBe(text);
});
