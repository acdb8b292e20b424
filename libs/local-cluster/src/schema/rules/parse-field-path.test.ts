import { describe, expect, it } from "@jest/globals";
import { parseFieldPath } from "./parse-field-path.ts";

describe("parseFieldPath", () => {
  const cases: [string, readonly string[] | undefined][] = [
    [".a", ["a"]],
    [".a.b", ["a", "b"]],
    [".a['b.c'].d", ["a", "b.c", "d"]],
    ["['it\\'s']", ["it's"]],
    ["", []],
    ["a", undefined],
    [".a.", undefined],
    [".a[0]", undefined],
    [".a['b'", undefined],
    ["..a", undefined],
  ];
  for (const [path, want] of cases) {
    it(`reads ${JSON.stringify(path)}`, () => {
      expect(parseFieldPath(path)).toEqual(want);
    });
  }
});
