import { describe, expect, it } from "@jest/globals";
import { GoRegExp } from "./go-regexp.ts";
import { expandTemplate, replaceMatches, splitByMatches } from "./replace-matches.ts";

describe("expandTemplate", () => {
  const re = GoRegExp.compile("(?P<first>a)(b)?");
  it.each([
    ["<$0>", "<ab>"],
    ["$1x", ""],
    ["${1}x", "ax"],
    ["${first}-$first", "a-a"],
    ["$2$1", "ba"],
    ["$$1", "$1"],
    ["$9${nosuch}", ""],
    ["$", "$"],
    ["${1", "${1"],
    ["plain", "plain"],
  ])("makes of %s", (template, expected) => {
    const [match] = re.findAll("ab");
    expect(match === undefined ? undefined : expandTemplate(template, match, re)).toBe(expected);
  });

  it("takes groups without a part in the match as empty", () => {
    const [match] = re.findAll("a");
    expect(match === undefined ? undefined : expandTemplate("[$2]", match, re)).toBe("[]");
  });
});

describe("replaceMatches", () => {
  it.each([
    ["b*", "abbc", -1, "-a-c-"],
    ["b", "abbc", 1, "a-bc"],
    ["b", "abbc", 0, "abbc"],
    ["", "äb", -1, "-ä-b-"],
  ])("of %s in %s, %d times", (pattern, text, limit, expected) => {
    expect(replaceMatches({ re: GoRegExp.compile(pattern), text, limit }, () => "-")).toBe(expected);
  });
});

describe("splitByMatches", () => {
  it.each<[string, string, number, string[]]>([
    [",", "a,b,,c", -1, ["a", "b", "", "c"]],
    [",", "a,b,c", 2, ["a", "b,c"]],
    [",", "a,b,c", 1, ["a,b,c"]],
    [",", "a", 0, []],
    [",", "", -1, [""]],
    ["", "", -1, []],
    ["", "aä", -1, ["a", "ä"]],
    ["b*", "abbbc", -1, ["a", "c"]],
  ])("%s in %s, at most %d parts", (pattern, text, limit, expected) => {
    expect([...splitByMatches(GoRegExp.compile(pattern), text, limit)]).toEqual(expected);
  });
});
