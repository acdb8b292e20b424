import { describe, expect, it } from "@jest/globals";
import { escapeIdentifier, isIdentifier } from "./escape-identifier.ts";

describe("escapeIdentifier", () => {
  const cases: [string, string | undefined][] = [
    ["name", "name"],
    ["_x1", "_x1"],
    ["x-y", "x__dash__y"],
    ["a.b/c", "a__dot__b__slash__c"],
    ["a__b", "a__underscores__b"],
    ["___", "__underscores___"],
    ["namespace", "__namespace__"],
    ["in", "__in__"],
    ["inner", "inner"],
    ["1a", undefined],
    ["a b", undefined],
    ["ä", undefined],
    ["", undefined],
  ];
  for (const [name, want] of cases) {
    it(`turns ${JSON.stringify(name)} into ${want}`, () => {
      expect(escapeIdentifier(name)).toBe(want);
    });
  }
});

describe("isIdentifier", () => {
  const cases: [string, boolean][] = [
    ["a_1", true],
    ["namespace", false],
    ["a-b", false],
    ["1a", false],
    ["", false],
  ];
  for (const [name, want] of cases) {
    it(`answers ${want} for ${JSON.stringify(name)}`, () => {
      expect(isIdentifier(name)).toBe(want);
    });
  }
});
