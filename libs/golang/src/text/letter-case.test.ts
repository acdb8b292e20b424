import { describe, expect, it } from "@jest/globals";
import * as fc from "fast-check";
import { trimCharacters } from "./letter-case.ts";

describe("trimCharacters", () => {
  it.each([
    ["  a b ", " ", "a b"],
    ["\u{1f600}a\u{1f600}", "\u{1f600}", "a"],
    ["\u{1f600}", "\u{1f600}", ""],
    ["xyx", "yx", ""],
    ["é", "e", "é"],
    ["a", "", "a"],
  ])("cuts %j by %j", (text, set, expected) => {
    expect(trimCharacters(text, set)).toBe(expected);
  });

  it("cuts whole characters only", () => {
    const unit = fc.constantFrom("a", "b", "é", "\u{1f600}", "\u{1f601}", "\udc80");
    fc.assert(
      fc.property(fc.string({ unit }), fc.string({ unit, maxLength: 3 }), (text, set) => {
        const runes = Array.from(text);
        const kept = (rune: string): boolean => !Array.from(set).includes(rune);
        const first = runes.findIndex(kept);
        const expected = first < 0 ? [] : runes.slice(first, runes.findLastIndex(kept) + 1);
        expect(trimCharacters(text, set)).toBe(expected.join(""));
      }),
      { seed: 3 },
    );
  });
});
