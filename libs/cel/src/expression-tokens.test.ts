import { describe, expect, it } from "@jest/globals";
import { mentionsVariable, restoreNames, useLibraryNames } from "./expression-tokens.ts";

describe("useLibraryNames", () => {
  const cases: [string, string][] = [
    ["has(self.a)", "hAS(self.a)"],
    ["!has (self.a)", "!hAS (self.a)"],
    ["self.a.matches('x')", "self.a.mATCHES('x')"],
    ["self.a . matches ('x')", "self.a . mATCHES ('x')"],
    ["self.lowerAscii() == self.upperAscii()", "self.lOWERaSCII() == self.uPPERaSCII()"],
    ["self.has", "self.has"],
    ["self.has(1)", "self.has(1)"],
    ["has == 1", "has == 1"],
    ["matches('x')", "matches('x')"],
    ["self.matches == 1", "self.matches == 1"],
    ["xhas(1) && hasx(1)", "xhas(1) && hasx(1)"],
    ["'has(x)' + \"a.matches(b)\"", "'has(x)' + \"a.matches(b)\""],
    ["'it\\'s has(x)' + has(a.b)", "'it\\'s has(x)' + hAS(a.b)"],
    ["r'\\' + has(a.b)", "r'\\' + hAS(a.b)"],
    ["'''a'has(x)''' + has(a.b)", "'''a'has(x)''' + hAS(a.b)"],
    ["b'has(x)' == b\"has(y)\"", "b'has(x)' == b\"has(y)\""],
    ["1 // has(x)\n + has(a.b)", "1 // has(x)\n + hAS(a.b)"],
    ["has(has(a.b).c)", "hAS(hAS(a.b).c)"],
    ["'unterminated has(x)", "'unterminated hAS(x)"],
  ];
  for (const [expression, want] of cases) {
    it(`turns ${JSON.stringify(expression)} into ${JSON.stringify(want)}`, () => {
      expect(useLibraryNames(expression)).toBe(want);
      expect(useLibraryNames(expression)).toHaveLength(expression.length);
    });
  }

  it("is undone in messages", () => {
    expect(restoreNames("no hAS(), mATCHES, lOWERaSCII or uPPERaSCII")).toBe(
      "no has(), matches, lowerAscii or upperAscii",
    );
  });
});

describe("mentionsVariable", () => {
  const cases: [string, boolean][] = [
    ["self == oldSelf", true],
    ["oldSelf.orValue('x') == self", true],
    ["has(oldSelf.a)", true],
    ["self.oldSelf == 1", false],
    ["self . oldSelf == 1", false],
    ["self == 'oldSelf'", false],
    ["self == 1 // oldSelf", false],
    ["oldSelfish == 1", false],
  ];
  for (const [expression, want] of cases) {
    it(`answers ${want} for ${JSON.stringify(expression)}`, () => {
      expect(mentionsVariable(expression, "oldSelf")).toBe(want);
    });
  }
});
